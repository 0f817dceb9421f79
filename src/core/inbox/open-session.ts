import { type Static, Type } from 'typebox'
import type { Ctx } from '../../context.ts'
import { ApiError, invalidField, validationFailed } from '../../errors.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { newSubscriberInput, subscriberIdInput } from '../../lib/inputs.ts'
import { fields, freeObject } from '../../lib/schemas.ts'
import { isTimezone } from '../../lib/zoned-time.ts'
import { listVouchingKeys } from '../../store/access/api-keys.ts'
import { findEnvironment, getInboxIdentity } from '../../store/access/environments.ts'
import type { Db, Env } from '../../store/database.ts'
import { lookAtFeeds, type UnreadBySeverity } from '../../store/history/feed-counts.ts'
import { insertScheduleIfNone } from '../../store/preferences.ts'
import {
  changesSubscriber,
  findSubscriber,
  insertSubscribers,
  type SubscriberPatch,
  type SubscriberRow,
} from '../../store/subscribers.ts'
import { readContext } from '../subscribers/read-context.ts'
import { saveSubscribers } from '../subscribers/save-subscribers.ts'
import { loadSchedules, type Schedule, scheduleFaults, scheduleSchema } from '../subscribers/schedule.ts'
import { keepContexts, withoutData } from '../values/contexts.ts'
import { makeInboxToken, tokenMs } from './inbox-token.ts'
import { askVouchers, type FindVouchers } from './vouchers.ts'

// A browser tells its own time zone without being asked; one that we do not know must not lock its user out.
const person = fields({ ...newSubscriberInput.properties, timezone: Type.Optional(Type.Unsafe<unknown>({})) })
const hash = Type.Optional(Type.String({ maxLength: 200 }))

/** As the published clients send it; those before 3.3 have `subscriberId` alone. */
export const sessionInput = fields({
  applicationIdentifier: Type.String({ maxLength: 200 }),
  subscriber: Type.Optional(
    Type.Unsafe<string | Static<typeof person>>({
      anyOf: [subscriberIdInput, person],
      description: 'The profile of the subscriber, or only its id.',
    }),
  ),
  subscriberId: Type.Optional(subscriberIdInput),
  subscriberHash: hash,
  context: Type.Optional(freeObject),
  contextHash: hash,
  defaultSchedule: Type.Optional(scheduleSchema),
})
export type SessionInput = Static<typeof sessionInput>

export type OpenedSession = {
  env: Env
  token: string
  unread: UnreadBySeverity
  identifier: string
  contextKeys: readonly string[]
  schedule: Schedule | undefined
}

// A badge shows no more than this; session and socket count no further.
export const mostUnread = 1_000

/** Opens the inbox of a person for a browser. A profile is changed only if the customer's own server vouches for it. */
export async function openInboxSession(
  ctx: Ctx,
  findVouchers: FindVouchers,
  input: SessionInput,
  now: Date,
): Promise<OpenedSession> {
  const patch = toPatch(input)
  const context = readContext(input.context)
  if ('fault' in context) throw invalidField('context', context.fault)
  const faults = input.defaultSchedule ? scheduleFaults(input.defaultSchedule) : {}
  if (Object.keys(faults).length > 0) throw validationFailed(faults)
  const found = await findEnvironment(ctx.database.db, input.applicationIdentifier)
  if (!found) throw new ApiError('identifier_unknown')
  // Before the hashes are judged: the keys of one that is arriving may not be here yet.
  await ctx.database.held.refuse(found.environmentId)
  const { vouchedBy, contextIsProven } = await checkHashes(
    ctx,
    findVouchers,
    found.environmentId,
    input,
    patch.subscriberId,
  )
  const env: Env = { ...found, keyId: vouchedBy ?? '' }
  const contextKeys = context.contextKeys ?? []
  return ctx.database.write(env, async (db) => {
    const isVouchedFor = vouchedBy !== null
    await keepSessionContexts(db, env, context.context, { isProven: contextIsProven, now })
    const { subscriber, isNew } = await saveWhoAsks(db, env, patch, { isVouchedFor, now })
    if (input.defaultSchedule && (isVouchedFor || isNew))
      await saveDefaultSchedule(db, env, subscriber.id, input.defaultSchedule, now)
    const { applicationIdentifier: identifier } = input
    return open(ctx, db, env, { subscriber, contextKeys, vouchedBy, lookOnly: false, identifier, now })
  })
}

/**
 * Opens the inbox of somebody known for whoever has a key, or is signed in with one. Writes nothing: no profile is made
 * or changed. The token ends with that key, as if it had made a hash.
 */
export async function openInboxOf(
  ctx: Ctx,
  db: Db,
  env: Env,
  { subscriberId, lookOnly, now }: { subscriberId: string; lookOnly: boolean; now: Date },
): Promise<OpenedSession> {
  const subscriber = await findSubscriber(db, env, subscriberId)
  if (!subscriber) throw new ApiError('subscriber_not_found')
  const identity = await getInboxIdentity(db, env)
  if (!identity) throw new Error('the environment of a key exists')
  const isKey = (await listVouchingKeys(db, env, now)).some(({ id }) => id === env.keyId)
  // Signed in by a link of development: nobody is there to vouch, so it can do what anybody can.
  if (!isKey && ctx.config.inboxHash === 'required') throw new ApiError('key_needed')
  const vouchedBy = isKey ? env.keyId : null
  const { identifier } = identity
  return open(ctx, db, env, { subscriber, contextKeys: [], vouchedBy, lookOnly, identifier, now })
}

type Opening = {
  subscriber: SubscriberRow
  contextKeys: readonly string[]
  vouchedBy: string | null
  lookOnly: boolean
  identifier: string
  now: Date
}

async function open(
  ctx: Ctx,
  db: Db,
  env: Env,
  { subscriber, contextKeys, vouchedBy, lookOnly, identifier, now }: Opening,
): Promise<OpenedSession> {
  const feed = { environmentId: env.environmentId, subscriberId: subscriber.id, contextKeys }
  const [look] = await lookAtFeeds(db, [feed], { now, most: mostUnread })
  const expiresAt = new Date(now.getTime() + tokenMs)
  return {
    env,
    token: makeInboxToken(ctx.sealer, { ...feed, vouchedBy, lookOnly, expiresAt }),
    unread: look?.unread ?? { high: 0, medium: 0, low: 0, none: 0 },
    identifier,
    contextKeys,
    schedule: (await loadSchedules(db, env, [subscriber.id])).get(subscriber.id),
  }
}

function toPatch({ subscriber, subscriberId }: SessionInput): SubscriberPatch {
  const { timezone, ...given } =
    typeof subscriber === 'object' ? subscriber : { subscriberId: subscriber ?? subscriberId }
  if (given.subscriberId === undefined) throw invalidField('subscriber', 'must say whose inbox it is: a subscriberId')
  return {
    ...given,
    subscriberId: given.subscriberId.trim(),
    ...(typeof timezone === 'string' && isTimezone(timezone) && { timezone }),
  }
}

/** Made if they are not there. What a browser says of their data counts only with a proof. Most sessions write nothing. */
async function keepSessionContexts(
  db: Db,
  env: Env,
  context: Record<string, unknown> | null,
  { isProven, now }: { isProven: boolean; now: Date },
): Promise<void> {
  if (context) await keepContexts(db, env, [{ context: isProven ? context : withoutData(context) }], now)
}

/** Who vouches for the person, and whether for the context too. A hash that is given must be right also where none is needed. */
async function checkHashes(
  ctx: Ctx,
  findVouchers: FindVouchers,
  environmentId: string,
  { subscriberHash, context, contextHash }: SessionInput,
  subscriberId: string,
): Promise<{ vouchedBy: string | null; contextIsProven: boolean }> {
  const isRequired = ctx.config.inboxHash === 'required'
  const ask = (message: string, given: string) => askVouchers(findVouchers, environmentId, message, given)
  const vouchedBy = subscriberHash === undefined ? null : await ask(subscriberId, subscriberHash)
  if (!vouchedBy && (isRequired || subscriberHash !== undefined)) throw new ApiError('hash_refused')
  if (context !== undefined && (isRequired || contextHash !== undefined)) {
    if (!(await ask(canonicalJson(context), contextHash ?? ''))) throw new ApiError('context_hash_refused')
  }
  return { vouchedBy, contextIsProven: contextHash !== undefined }
}

/** Whoever is known is changed only with a proof. Most sessions change nothing, and write nothing. */
async function saveWhoAsks(
  db: Db,
  env: Env,
  patch: SubscriberPatch,
  { isVouchedFor, now }: { isVouchedFor: boolean; now: Date },
): Promise<{ subscriber: SubscriberRow; isNew: boolean }> {
  const known = await findSubscriber(db, env, patch.subscriberId)
  if (known && !(isVouchedFor && changesSubscriber(known, patch))) return { subscriber: known, isNew: false }
  const [created] = known ? [] : await insertSubscribers(db, env, [patch], now)
  if (created) return { subscriber: created, isNew: true }
  const changes = isVouchedFor ? patch : { subscriberId: patch.subscriberId }
  const saved = (await saveSubscribers(db, env, [changes], now)).get(patch.subscriberId)
  if (!saved) throw new Error('a saved subscriber is in the answer')
  return { subscriber: saved.row, isNew: false }
}

async function saveDefaultSchedule(db: Db, env: Env, subscriberId: string, schedule: Schedule, now: Date) {
  const { isEnabled: enabled, weeklySchedule: weekly = null } = schedule
  await insertScheduleIfNone(db, env, { subscriberId, enabled, weekly }, now)
}
