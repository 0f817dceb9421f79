import { type Static, Type } from 'typebox'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { fields, nullable, oneOf } from '../../lib/schemas.ts'
import { faultFinder } from '../../lib/validate.ts'
import {
  findDetails,
  findMemberships,
  findTopics,
  insertMemberships,
  lockTopics,
  type StoredDetail,
  saveDetails,
} from '../../store/import/members.ts'
import { listSubscribersById } from '../../store/subscribers.ts'
import type { SubscriptionPreferences } from '../../store/subscription-details.ts'
import { findWorkflowsByIdentifier } from '../../store/workflows.ts'
import { defaultIdentifier } from '../subscribers/topic-members.ts'
import { faultOfRule, type Rule } from '../topics/json-logic.ts'
import { type ImportAction, importActions, type Left, leftSchema, type Scope } from './import-scope.ts'

const choice = fields({
  workflowId: Type.String({ minLength: 1, maxLength: 255 }),
  enabled: Type.Boolean(),
  condition: Type.Optional(Type.Unsafe<Rule>({ description: 'JSON Logic.' })),
})

/** Without an identifier it is the plain subscription. */
export const memberShown = fields({
  subscriberId: Type.String({ minLength: 1, maxLength: 255 }),
  identifier: Type.Optional(Type.String({ maxLength: 512 })),
  name: Type.Optional(nullable(Type.String({ maxLength: 255 }))),
  contextKeys: Type.Optional(Type.Array(Type.String({ maxLength: 511 }), { maxItems: 5 })),
  preferences: Type.Optional(Type.Array(choice, { maxItems: 100 })),
})
type GivenMember = Static<typeof memberShown>
const faultOf = faultFinder(memberShown)

export const importedMembers = Type.Object({
  subscriberId: Type.Optional(Type.String()),
  identifier: Type.Optional(Type.String()),
  action: oneOf(importActions),
  left: leftSchema,
})

type Result = { subscriberId?: string; identifier?: string; action: ImportAction; left: Left[] }
type Wanted = { topicId: string; subscriberId: string; identifier: string; member: GivenMember; result: Result }

/** Members of topics that exist. Of a subscription that is named twice, the later entry counts. */
export async function importMembers(
  scope: Scope,
  list: readonly { topicKey: string; member: Record<string, unknown> }[],
): Promise<Result[]> {
  if (list.length === 0) return []
  const results = list.map(({ member }): Result => ({ ...namesIn(member), action: 'unchanged', left: [] }))
  const wanted = await findPlaces(scope, list, results)
  const workflows = await workflowIds(scope, wanted)
  const members = new Set((await findMemberships(scope.db, scope.env, wanted)).map(placeOf))
  const details = Map.groupBy(await findDetails(scope.db, scope.env, wanted), placeOf)
  const rows = new Map<string, StoredDetail>()
  const plain = new Set<string>()
  for (const it of wanted) {
    const place = placeOf(it)
    const own = details.get(place) ?? []
    const given = toDetail(it, workflows)
    const isNew = !members.has(place)
    const others = [...own, ...[...rows.values()].filter((other) => placeOf(other) === place)]
    const stored = own.find((other) => keyOf(other) === keyOf(given))
    // What was chosen here for other workflows stays.
    const row = { ...given, preferences: { ...stored?.preferences, ...given.preferences } }
    const isPlain = isEmpty(row)
    if (isNew) it.result.action = 'created'
    else if (stored) it.result.action = isSame(stored, row, it.member) ? 'unchanged' : 'updated'
    else if (!isPlain || others.length > 0) it.result.action = 'created'
    if (it.result.action === 'unchanged') continue
    // From the first subscription of its own on, somebody has exactly those that have rows.
    const hasPlain = own.length === 0 && (!isNew || plain.has(place))
    if (isPlain) plain.add(place)
    if (hasPlain && !isPlain) rows.set(`${place} ${keyOf(plainOf(row))}`, plainOf(row))
    if (!isPlain || others.length > 0 || stored)
      rows.set(`${place} ${keyOf(row)}`, { ...row, name: nameOf(it, stored) })
  }
  if (!scope.dryRun) await write(scope, wanted, members, [...rows.values()])
  return results
}

/** Those whose topic and subscriber are here; the others are marked as failed. */
async function findPlaces(
  { db, env, dryRun }: Scope,
  list: readonly { topicKey: string; member: Record<string, unknown> }[],
  results: Result[],
): Promise<Wanted[]> {
  const keys = [...new Set(list.map(({ topicKey }) => topicKey))]
  const topics = await (dryRun ? findTopics : lockTopics)(db, env, keys)
  const faults = list.map(({ member }) => faultOf(member))
  const ids = list.flatMap(({ member }, at) => (faults[at] === null ? String(member.subscriberId).trim() : []))
  const people = new Map((await listSubscribersById(db, env, [...new Set(ids)])).map((row) => [row.subscriber_id, row]))
  return list.flatMap(({ topicKey, member: given }, at) => {
    const result = results[at]
    if (!result) return []
    const refuse = (field: string, why: string) => {
      Object.assign(result, { action: 'failed', left: [{ field, why }] })
      return []
    }
    const fault = faults[at]
    if (typeof fault === 'string') return refuse('member', fault)
    // Validated.
    const member = given as GivenMember
    const subscriber = people.get(member.subscriberId.trim())
    if (!subscriber) return refuse('subscriberId', 'there is no such subscriber here')
    const topic = topics.get(topicKey)
    // A dry run does not make the topic; whoever is in it would be new.
    if (!topic && !dryRun) return refuse('topicKey', 'there is no such topic here')
    if (!topic) {
      result.action = 'created'
      return []
    }
    const identifier = storedIdentifier(topicKey, subscriber.subscriber_id, member)
    if (identifier === null) return refuse('identifier', 'is the default name of another subscription')
    return [{ topicId: topic.id, subscriberId: subscriber.id, identifier, member, result }]
  })
}

/** Empty: the plain one. Null: a name that the service gives, but to somebody else. */
function storedIdentifier(topicKey: string, subscriberId: string, { identifier = '', contextKeys = [] }: GivenMember) {
  const plain = defaultIdentifier(topicKey, subscriberId, [])
  const own = defaultIdentifier(topicKey, subscriberId, contextKeys)
  if (identifier === '' || identifier === plain || identifier === own) return contextKeys.length > 0 ? own : ''
  return identifier.startsWith('tk_') ? null : identifier
}

async function workflowIds({ db, env }: Scope, wanted: readonly Wanted[]): Promise<Map<string, string>> {
  const named = new Set(wanted.flatMap(({ member }) => (member.preferences ?? []).map((it) => it.workflowId)))
  const rows = named.size > 0 ? await findWorkflowsByIdentifier(db, env, [...named]) : []
  return new Map(rows.map((row) => [row.identifier, row.id]))
}

function toDetail(
  { topicId, subscriberId, identifier, member, result }: Wanted,
  workflows: ReadonlyMap<string, string>,
): StoredDetail {
  const preferences: SubscriptionPreferences = {}
  for (const { workflowId, enabled, condition } of member.preferences ?? []) {
    const id = workflows.get(workflowId)
    const fault = condition === undefined || condition === null ? null : faultOfRule(condition)
    if (id === undefined || fault) {
      result.left.push({ field: `preferences.${workflowId}`, why: fault ?? 'there is no such workflow here' })
      continue
    }
    preferences[id] = { enabled, ...(condition !== undefined && condition !== null && { condition }) }
  }
  const contextKeys = [...(member.contextKeys ?? [])].sort()
  return { topicId, subscriberId, identifier, name: member.name ?? null, contextKeys, preferences }
}

function isEmpty({ identifier, name, contextKeys, preferences }: StoredDetail): boolean {
  return identifier === '' && name === null && contextKeys.length === 0 && Object.keys(preferences).length === 0
}

/** What is not given stays as it is. */
function isSame(stored: StoredDetail, row: StoredDetail, { name, preferences }: GivenMember): boolean {
  if (name !== undefined && name !== stored.name) return false
  return preferences === undefined || canonicalJson(stored.preferences) === canonicalJson(row.preferences)
}

function nameOf({ member }: Wanted, stored: StoredDetail | undefined): string | null {
  return member.name === undefined ? (stored?.name ?? null) : member.name
}

function plainOf({ topicId, subscriberId }: StoredDetail): StoredDetail {
  return { topicId, subscriberId, identifier: '', name: null, contextKeys: [], preferences: {} }
}

async function write(
  { db, env, now }: Scope,
  wanted: readonly Wanted[],
  members: ReadonlySet<string>,
  rows: readonly StoredDetail[],
): Promise<void> {
  const missing = new Map(wanted.filter((it) => !members.has(placeOf(it))).map((it) => [placeOf(it), it]))
  await insertMemberships(db, env, [...missing.values()], now)
  const details = rows.map(
    ({ topicId: topic_id, subscriberId: subscriber_id, contextKeys: context_keys, ...rest }) => ({
      topic_id,
      subscriber_id,
      context_keys,
      ...rest,
    }),
  )
  await saveDetails(db, env, details, now)
}

function placeOf({ topicId, subscriberId }: { topicId: string; subscriberId: string }): string {
  return `${topicId} ${subscriberId}`
}

function keyOf({ identifier, contextKeys }: { identifier: string; contextKeys: readonly string[] }): string {
  return JSON.stringify([identifier, contextKeys])
}

function namesIn({ subscriberId, identifier }: Record<string, unknown>) {
  return {
    ...(typeof subscriberId === 'string' && { subscriberId }),
    ...(typeof identifier === 'string' && { identifier }),
  }
}
