import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Ctx } from '../context.ts'
import { defineTask } from '../engine/define-task.ts'
import { type Db, type Env, envOf } from '../store/database.ts'
import { type Erased, eraseActor, eraseMessages, eraseNotifications, eraseUnreached } from '../store/history/erasure.ts'

const batch = 500
// A task that had the person in hand when he was deleted has ended by then, and what it wrote is erased too.
const lastPassSeconds = 900

/** In this order; an absent `after` is the beginning of its stage. */
const stages = ['messages', 'notifications', 'actor', 'unreached'] as const
const place = Type.Object({
  stage: Type.Enum([...stages]),
  after: Type.Optional(Type.Object({ channel: Type.Optional(Type.String()), id: Type.String() })),
})
const taskData = Type.Object({
  environmentId: Type.String(),
  id: Type.String(),
  subscriberId: Type.String(),
  before: Type.Number(),
  place: Type.Optional(place),
  lastPass: Type.Optional(Type.Boolean()),
})
type Place = Static<typeof place>
type Erasure = Static<typeof taskData>

/**
 * What history says about somebody who was deleted. A batch and the task for the next one are one transaction: wherever
 * it is cut off it goes on there, and a batch that runs twice finds nothing left to erase.
 */
export default defineTask({
  name: 'erase-subscriber',
  batchSize: 1,
  workers: { critical: 0, transactional: 0, bulk: 1 },
  async run(ctx, tasks) {
    for (const task of tasks) await eraseBatch(ctx, Value.Parse(taskData, task))
  },
})

async function eraseBatch(ctx: Ctx, task: Erasure): Promise<void> {
  const env = envOf(task.environmentId)
  await ctx.database.write(env, async (db) => {
    const next = await eraseStage(db, env, task, ctx.clock())
    if (next) await ctx.engine.enqueue(db, 'erase-subscriber', 'bulk', [{ ...task, place: next }])
    else if (!task.lastPass) {
      const { place: _done, ...again } = task
      const options = { afterSeconds: lastPassSeconds }
      await ctx.engine.enqueue(db, 'erase-subscriber', 'bulk', [{ ...again, lastPass: true }], options)
    }
  })
}

async function eraseStage(db: Db, env: Env, task: Erasure, now: Date): Promise<Place | null> {
  const { stage, after } = task.place ?? { stage: 'messages' }
  const who: Erased = { id: task.id, subscriberId: task.subscriberId, before: new Date(task.before) }
  const reached = await eraseFrom(db, env, who, stage, after, now)
  if (reached) return { stage, after: reached }
  const following = stages[stages.indexOf(stage) + 1]
  return following ? { stage: following } : null
}

/** One batch of a stage; answers where it ended, null when there was nothing left. */
async function eraseFrom(
  db: Db,
  env: Env,
  who: Erased,
  stage: Place['stage'],
  after: Place['after'],
  now: Date,
): Promise<Place['after'] | null> {
  const id = after?.id ?? null
  const toPlace = (last: string | null) => (last ? { id: last } : null)
  switch (stage) {
    case 'messages':
      return eraseMessages(db, env, who, after ? { channel: after.channel ?? '', id: after.id } : null, batch)
    case 'notifications':
      return toPlace(await eraseNotifications(db, env, who, id, now, batch))
    case 'actor':
      return toPlace(await eraseActor(db, env, who, id, batch))
    case 'unreached':
      return toPlace(await eraseUnreached(db, env, who, id, batch))
  }
}
