import { type Static, Type } from 'typebox'
import type { Ctx } from '../../context.ts'
import { ApiError, invalidField, validationFailed } from '../../errors.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { newSubscriberInput, subscriberIdInput } from '../../lib/inputs.ts'
import { fields, freeObject } from '../../lib/schemas.ts'
import { isTimezone } from '../../lib/zoned-time.ts'
import { findEnvironment } from '../../store/access/environments.ts'
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
import { readContext } from '../pipeline/read-event.ts'
import { saveSubscribers } from '../subscribers/save-subscribers.ts'
import { loadSchedules, type Schedule, scheduleFaults, scheduleSchema } from '../subscribers/schedule.ts'
import { makeInboxToken } from './inbox-token.ts'
import { type FindVouchers, type Vouchers, whoVouches } from './vouchers.ts'

// A browser tells its own time zone without being asked; one that we do not know must not lock its user out.
const person = fields({ ...newSubscriberInput.properties, timezone: Type.Optional(Type.Unsafe<unknown>({})) })
const hash = Type.Optional(Type.String({ maxLength: 200 }))

/** As the published clients send it; those before 3.3 have `subscriberId` alone. */
export const sessionInput = fields({
  applicationIdentifier: Type.String({ maxLength: 200 }),
  subscriber: Type.Optional(
    Type.Unsafe<string | Static<typeof person>>({
      anyOf: [subscriberIdInput, person],
      description: 'Or its id alone.',
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

const dayMs = 24 * 3_600_000
// Clients never renew their token.
const tokenMs = 15 * dayMs
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
  const vouchedBy = await checkHashes(ctx, findVouchers, found.environmentId, input, patch.subscriberId)
  const env: Env = { ...found, keyId: vouchedBy ?? '' }
  const contextKeys = context.contextKeys ?? []
  return ctx.database.write(env, async (db) => {
    const subscriber = await saveWhoAsks(db, env, patch, { isVouchedFor: vouchedBy !== null, now })
    if (input.defaultSchedule) await saveDefaultSchedule(db, env, subscriber.id, input.defaultSchedule, now)
    const feed = { environmentId: env.environmentId, subscriberId: subscriber.id, contextKeys }
    const [look] = await lookAtFeeds(db, [feed], { now, most: mostUnread })
    const claims = { ...feed, vouchedBy }
    return {
      env,
      token: makeInboxToken(ctx.sealer, { ...claims, expiresAt: new Date(now.getTime() + tokenMs) }),
      unread: look?.unread ?? { high: 0, medium: 0, low: 0, none: 0 },
      identifier: input.applicationIdentifier,
      contextKeys,
      schedule: (await loadSchedules(db, env, [subscriber.id])).get(subscriber.id),
    }
  })
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

/** Answers who vouches for the person. A hash that is given must be right also where none is needed. */
async function checkHashes(
  ctx: Ctx,
  findVouchers: FindVouchers,
  environmentId: string,
  { subscriberHash, context, contextHash }: SessionInput,
  subscriberId: string,
): Promise<string | null> {
  const isRequired = ctx.config.inboxHash === 'required'
  const ask = async (message: string, given: string): Promise<string | null> => {
    const whose = (vouchers: Vouchers | null) => (vouchers ? whoVouches(vouchers, message, given) : null)
    const known = whose(await findVouchers(environmentId))
    if (known) return known
    // The key may be younger than what we remember.
    findVouchers.forget(environmentId)
    return whose(await findVouchers(environmentId))
  }
  const vouchedBy = subscriberHash === undefined ? null : await ask(subscriberId, subscriberHash)
  if (!vouchedBy && (isRequired || subscriberHash !== undefined)) throw new ApiError('hash_refused')
  if (context !== undefined && (isRequired || contextHash !== undefined)) {
    if (!(await ask(canonicalJson(context), contextHash ?? ''))) throw new ApiError('context_hash_refused')
  }
  return vouchedBy
}

/** Whoever is known is changed only with a proof. Most sessions change nothing, and write nothing. */
async function saveWhoAsks(
  db: Db,
  env: Env,
  patch: SubscriberPatch,
  { isVouchedFor, now }: { isVouchedFor: boolean; now: Date },
): Promise<SubscriberRow> {
  const known = await findSubscriber(db, env, patch.subscriberId)
  if (known && !(isVouchedFor && changesSubscriber(known, patch))) return known
  const [created] = known ? [] : await insertSubscribers(db, env, [patch], now)
  if (created) return created
  const changes = isVouchedFor ? patch : { subscriberId: patch.subscriberId }
  const saved = (await saveSubscribers(db, env, [changes], now)).get(patch.subscriberId)
  if (!saved) throw new Error('a saved subscriber is in the answer')
  return saved.row
}

async function saveDefaultSchedule(db: Db, env: Env, subscriberId: string, schedule: Schedule, now: Date) {
  const { isEnabled: enabled, weeklySchedule: weekly = null } = schedule
  await insertScheduleIfNone(db, env, { subscriberId, enabled, weekly }, now)
}
