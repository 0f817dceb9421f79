import { sql } from 'kysely'
import type { Client, Harness } from '../harness.ts'
import { once } from './once.ts'

/** Environments that do not own what is asked for, shared by the routes of a file. */
export type Strangers = {
  /** Owners must be in this organization, so that `refused` holds a stranger of the same organization. */
  organizationId(): Promise<string>
  /** One of the owner's organization, one of another: for calls that change nothing. */
  refused(): Promise<Client[]>
  /** The same two kinds, made anew: for calls that change something. */
  fresh(): Promise<Client[]>
  /** Its key is revoked. */
  revoked(): Promise<Client>
}

export function createStrangers(h: Harness): Strangers {
  const home = once(() => h.environment())
  const organizationId = async () => (await home()).organizationId
  return {
    organizationId,
    refused: once(async () => [await home(), await h.environment()]),
    fresh: async () => [await h.environment({ organizationId: await organizationId() }), await h.environment()],
    revoked: once(async () => {
      const env = await h.environment()
      await sql`update api_key set revoked_at = now() where environment_id = ${env.environmentId}`.execute(h.admin)
      return env
    }),
  }
}
