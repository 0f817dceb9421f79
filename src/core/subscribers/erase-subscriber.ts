import { type Static, Type } from 'typebox'
import type { Ctx } from '../../context.ts'
import { type Db, type Env, envOf } from '../../store/database.ts'
import {
  type Erased,
  eraseActor,
  eraseMessages,
  eraseNotifications,
  eraseUnreached,
} from '../../store/history/erasure.ts'
import { eraseDeliveries } from '../../store/webhooks/deliveries.ts'
import { eraseFromPages } from '../../store/webhooks/pages.ts'
import { recordOccurrences } from '../numbers/occurrences.ts'

const batch = 500
const pagesAtOnce = 50
// By then every task that still had the subscriber loaded has ended; what it wrote is erased in the last pass.
const lastPassSeconds = 900

/** In this order; without `after` at the beginning of the stage. */
const stages = ['messages', 'notifications', 'actor', 'unreached', 'webhooks'] as const
const placeSchema = Type.Object({
  stage: Type.Enum([...stages]),
  after: Type.Optional(Type.Object({ channel: Type.Optional(Type.String()), id: Type.String() })),
})
export const erasureSchema = Type.Object({
  environmentId: Type.String(),
  id: Type.String(),
  subscriberId: Type.String(),
  before: Type.Number(),
  place: Type.Optional(placeSchema),
  lastPass: Type.Optional(Type.Boolean()),
})
type ErasurePosition = Static<typeof placeSchema>
type Erasure = Static<typeof erasureSchema>

/**
 * Erases one batch of a deleted subscriber's history. The batch and the task for the next one are one transaction: an
 * interrupted erasure continues, and a batch that runs twice finds nothing left.
 */
export async function eraseBatch(ctx: Ctx, task: Erasure): Promise<void> {
  const env = envOf(task.environmentId)
  await ctx.database.write(env, async (db) => {
    const next = await eraseStage(ctx, db, env, task)
    if (next) await ctx.engine.enqueue(db, 'erase-subscriber', 'bulk', [{ ...task, place: next }])
    else if (!task.lastPass) {
      const { place: _done, ...again } = task
      const options = { afterSeconds: lastPassSeconds }
      await ctx.engine.enqueue(db, 'erase-subscriber', 'bulk', [{ ...again, lastPass: true }], options)
    }
  })
}

async function eraseStage(ctx: Ctx, db: Db, env: Env, task: Erasure): Promise<ErasurePosition | null> {
  const place: ErasurePosition = task.place ?? { stage: 'messages' }
  const who: Erased = { id: task.id, subscriberId: task.subscriberId, before: new Date(task.before) }
  const last = await eraseFrom(ctx, db, env, who, place)
  if (last) return { stage: place.stage, after: last }
  const following = stages[stages.indexOf(place.stage) + 1]
  return following ? { stage: following } : null
}

/** One batch of a stage. Returns where it ended, or null if nothing was left. */
async function eraseFrom(
  ctx: Ctx,
  db: Db,
  env: Env,
  who: Erased,
  { stage, after }: ErasurePosition,
): Promise<ErasurePosition['after'] | null> {
  const id = after?.id ?? null
  const toPlace = (last: string | null) => (last ? { id: last } : null)
  switch (stage) {
    case 'messages':
      return eraseMessages(db, env, who, after ? { channel: after.channel ?? '', id: after.id } : null, batch)
    case 'notifications': {
      const now = ctx.clock()
      const { last, stopped } = await eraseNotifications(db, env, who, { after: id, batch, now })
      const canceled = stopped.map(
        (step) => ({ of: 'step', outcome: 'canceled', ...step, hasMessages: false }) as const,
      )
      await recordOccurrences(ctx, db, env, canceled, now)
      return toPlace(last)
    }
    case 'actor':
      return toPlace(await eraseActor(db, env, who, id, batch))
    case 'unreached':
      return toPlace(await eraseUnreached(db, env, who, id, batch))
    case 'webhooks':
      if (await eraseFromPages(db, env, who.id, pagesAtOnce)) return { id: who.id }
      return toPlace(await eraseDeliveries(db, env, who.id, batch))
  }
}
