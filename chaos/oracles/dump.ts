import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { World } from '../lib/world.ts'

/** Every row of every table, as text. */
export async function dumpBySql(world: World): Promise<string> {
  const tables = await world.sql<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
  )
  const dumps = tables.map(async ({ name }) => {
    const rows = await world.sql<{ row: string }>(`select to_jsonb(t)::text as row from "${name}" t`)
    return `${name}\n${rows.map(({ row }) => row).join('\n')}`
  })
  return (await Promise.all(dumps)).join('\n')
}

/** What a backup holds; null where there is no pg_dump that fits this server. */
export async function dumpByTool(world: World): Promise<string | null> {
  const args = ['--no-owner', '--inserts', `--dbname=${world.databaseUrl}`]
  return promisify(execFile)('pg_dump', args, { maxBuffer: 512 * 1024 * 1024 }).then(
    ({ stdout }) => stdout,
    () => null,
  )
}
