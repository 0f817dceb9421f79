import { sql } from 'kysely'
import type { Db, Env } from '../database.ts'

/** What the environment set; the rest is as usual. */
export async function findSendBounds(db: Db, env: Env): Promise<object> {
  const { rows } = await sql<{ send_bounds: object }>`
    select send_bounds from environment where id = ${env.environmentId}`.execute(db)
  return rows[0]?.send_bounds ?? {}
}

export async function setSendBounds(db: Db, env: Env, bounds: object): Promise<void> {
  await sql`
    update environment set send_bounds = ${JSON.stringify(bounds)}::jsonb where id = ${env.environmentId}`.execute(db)
}
