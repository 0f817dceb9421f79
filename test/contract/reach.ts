import { sql } from 'kysely'
import type { Client, Harness } from '../harness.ts'

/** The keys of this environment reach its whole organization. */
export async function giveReach(h: Harness, { environmentId }: Client): Promise<void> {
  await sql`update api_key set reach = 'organization' where environment_id = ${environmentId}`.execute(h.admin)
}
