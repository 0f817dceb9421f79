import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { whenOver } from '../../chaos/lib/clean-up.ts'
import { cleanEnv } from '../../src/lib/files-of-user.ts'
import type { Cluster } from './cluster.ts'
import type { Stage } from './stage.ts'

export type Rate = { perSecond: number; latencyMs: number }

const scripts = {
  plain: 'insert into bench_row (n) values (:client_id)',
  notify: `with written as (insert into bench_row (n) values (:client_id) returning n) select pg_notify('bench', n::text) from written`,
}
export type Script = keyof typeof scripts

/** The packaged PostgreSQL has neither of these. */
export function hasTools({ bin }: Cluster): boolean {
  return ['pgbench', 'pg_basebackup'].every((name) => existsSync(join(bin, name)))
}

/** Where pgbench writes its rows: beside the product's, because both share what is measured. */
export async function makeRows(stage: Stage): Promise<void> {
  await stage.sql('create table bench_row (n integer not null)')
  await stage.sql('grant insert, select on bench_row to bench')
  for (const [name, text] of Object.entries(scripts)) writeFileSync(fileOf(stage.cluster, name), `${text};\n`)
}

const fileOf = ({ home }: Cluster, name: string) => join(home, `${name}.sql`)

/** Transactions of one row each, one after another on every connection. */
export async function runPgbench(stage: Stage, script: Script, clients: number, forMs: number): Promise<Rate> {
  const { cluster } = stage
  const database = new URL(stage.databaseUrl).pathname.slice(1)
  const args = [
    ...['-h', cluster.home, '-p', String(cluster.port), '-U', 'bench', '-n', '-M', 'prepared'],
    ...['-c', String(clients), '-j', '1', '-T', String(Math.max(1, Math.round(forMs / 1000)))],
    ...['-f', fileOf(cluster, script), database],
  ]
  const child = spawn(join(cluster.bin, 'pgbench'), args, { cwd: '/', env: cleanEnv })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const over = new Promise<number | null>((resolve) => child.on('close', resolve))
  const end = whenOver(async () => {
    child.kill('SIGKILL')
    await over
  })
  const code = await over
  await end()
  const rate = readRate(output)
  if (code !== 0 || !rate) throw new Error(`pgbench ended with ${code}:\n${output.slice(-1_000)}`)
  return rate
}

export function readRate(output: string): Rate | null {
  const perSecond = Number(/^tps = ([\d.]+)/m.exec(output)?.[1])
  const latencyMs = Number(/^latency average = ([\d.]+) ms/m.exec(output)?.[1])
  return perSecond > 0 && latencyMs > 0 ? { perSecond, latencyMs } : null
}
