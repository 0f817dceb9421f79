import { sql } from 'kysely'
import type { Db, Env } from '../database.ts'

export type Answers = { accepted: number; gone: number }

/** Adds to what a vendor said of device tokens under these credentials, and returns the sums. Others begin anew. */
export async function countAnswers(
  db: Db,
  env: Env,
  { integrationId, credentials }: { integrationId: string; credentials: Buffer },
  { accepted, gone }: Answers,
): Promise<Answers> {
  const { rows } = await sql<Answers>`
    insert into token_trust as t (environment_id, integration_id, credentials, accepted, gone)
    select ${env.environmentId}, i.id, ${credentials}, ${accepted}, ${gone} from integration i
    where i.environment_id = ${env.environmentId} and i.id = ${integrationId}
    on conflict (environment_id, integration_id) do update set credentials = excluded.credentials,
      accepted = case when t.credentials = excluded.credentials then t.accepted else 0 end + excluded.accepted,
      gone = case when t.credentials = excluded.credentials then t.gone else 0 end + excluded.gone
    returning accepted::float8 as accepted, gone::float8 as gone`.execute(db)
  return rows[0] ?? { accepted, gone }
}
