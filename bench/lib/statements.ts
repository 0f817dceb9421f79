import type pg from 'pg'

/** BENCH_STATEMENTS=20: the costliest statements of a stage, for whoever looks for what to mend. */
export async function printStatements(pool: pg.Pool): Promise<void> {
  const most = Number(process.env.BENCH_STATEMENTS ?? 0)
  if (most === 0) return
  const { rows } = await pool.query<{ total: number; calls: number; mean: number; rows: number; query: string }>(
    `select total_exec_time::int as total, calls::int, mean_exec_time::float8 as mean, rows::int, query
     from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())
     order by total_exec_time desc limit $1`,
    [most],
  )
  console.log('   total ms   calls  mean ms     rows')
  for (const { total, calls, mean, rows: answered, query } of rows) {
    const text = query.replaceAll(/\s+/g, ' ').slice(0, 150)
    console.log(
      `   ${String(total).padStart(8)} ${String(calls).padStart(7)} ${mean.toFixed(2).padStart(8)} ${String(answered).padStart(8)}  ${text}`,
    )
  }
}
