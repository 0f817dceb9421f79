import pg from 'pg'
import type { World } from '../lib/world.ts'

const rowsAtOnce = 20_000

/** Rows by the million, some at a time. */
export async function readRows<Row extends pg.QueryResultRow>(
  { databaseUrl }: World,
  text: string,
  values: readonly unknown[],
  take: (row: Row) => void,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'chaos' })
  await client.connect()
  try {
    await client.query('begin')
    await client.query(`declare all_rows cursor for ${text}`, [...values])
    for (;;) {
      const { rows } = await client.query<Row>(`fetch ${rowsAtOnce} from all_rows`)
      if (rows.length === 0) return
      for (const row of rows) take(row)
    }
  } finally {
    await client.end()
  }
}
