import type { Ctx } from '../../context.ts'
import { type Env, envOf } from '../../store/database.ts'
import { listSubscribersByInternalId, type SubscriberRow } from '../../store/subscribers.ts'

export type FindPerson = (env: Env, id: string) => Promise<SubscriberRow | null>

const gatherMs = 5
const mostAtOnce = 500

type Asked = { id: string; resolve(row: SubscriberRow | null): void; reject(error: unknown): void }

/** Thousands open their inbox at once when another node ends: those of one environment are read in one statement. */
export function createFindPerson(ctx: Ctx): FindPerson {
  const waiting = new Map<string, Asked[]>()

  async function read(environmentId: string): Promise<void> {
    const asked = waiting.get(environmentId) ?? []
    waiting.delete(environmentId)
    const env = envOf(environmentId)
    const ids = [...new Set(asked.map(({ id }) => id))]
    try {
      const rows = await ctx.database.read(env, (db) => listSubscribersByInternalId(db, env, ids))
      const byId = new Map(rows.map((row) => [row.id, row]))
      for (const { id, resolve } of asked) resolve(byId.get(id) ?? null)
    } catch (error) {
      for (const { reject } of asked) reject(error)
    }
  }

  return ({ environmentId }, id) =>
    new Promise((resolve, reject) => {
      const asked = waiting.get(environmentId) ?? []
      asked.push({ id, resolve, reject })
      if (asked.length === 1) {
        waiting.set(environmentId, asked)
        setTimeout(() => {
          if (waiting.get(environmentId) === asked) void read(environmentId)
        }, gatherMs)
      } else if (asked.length === mostAtOnce) void read(environmentId)
    })
}
