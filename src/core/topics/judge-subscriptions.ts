import { createPauses } from '../../lib/chunks.ts'
import type { Db, Env } from '../../store/database.ts'
import type { EventRow } from '../../store/history/events.ts'
import { type Detail, listDetails, listMemberships } from '../../store/subscription-details.ts'
import type { Start } from '../pipeline/plan.ts'
import { toRenderScope } from '../pipeline/plan-steps.ts'
import type { StoredRecipient } from '../pipeline/recipients.ts'
import { noVariables } from '../values/variables.ts'
import { judgeRule } from './json-logic.ts'

/**
 * Who was reached through a topic gets the event if one of his subscriptions lets it through: this one, or one to another
 * topic that the event names. Who is named in the event gets it anyway. The others get a notification that says why
 * nothing is sent. Preferences do not apply to critical workflows, and neither do these.
 */
export async function judgeSubscriptions(
  db: Db,
  env: Env,
  event: EventRow,
  starts: readonly Start[],
): Promise<readonly Start[]> {
  const throughTopics = starts.filter((start) => start.topicIds !== null && !start.workflow.critical)
  if (throughTopics.length === 0) return starts
  const refused = await refusedBy(db, env, throughTopics, membershipsOf(throughTopics))
  if (refused.size === 0) return starts
  for (const id of await reachedOtherwise(db, env, event, throughTopics, refused)) refused.delete(id)
  return starts.map((start) => {
    const why = start.topicIds === null ? undefined : refused.get(start.subscriber.id)
    return why === undefined ? start : { ...start, refused: why }
  })
}

type Membership = { topicId: string; subscriberId: string }

function membershipsOf(starts: readonly Start[]): Membership[] {
  return starts.flatMap(({ subscriber, topicIds }) =>
    (topicIds ?? []).map((topicId) => ({ topicId, subscriberId: subscriber.id })),
  )
}

/** By internal subscriber id: why none of these memberships lets the event through. */
async function refusedBy(
  db: Db,
  env: Env,
  starts: readonly Start[],
  memberships: readonly Membership[],
): Promise<Map<string, string>> {
  const workflowId = starts[0]?.workflow.id ?? ''
  const details = await listDetails(db, env, workflowId, memberships)
  if (details.length === 0) return new Map()
  const byMembership = Map.groupBy(details, (it) => `${it.topic_id} ${it.subscriber_id}`)
  const byPerson = Map.groupBy(memberships, (it) => it.subscriberId)
  const refused = new Map<string, string>()
  const pause = createPauses()
  for (const start of starts) {
    const { id } = start.subscriber
    const reasons: string[] = []
    for (const { topicId } of byPerson.get(id) ?? []) {
      await pause()
      const why = refusalOf(byMembership.get(`${topicId} ${id}`), start)
      if (why === null) break
      reasons.push(why)
    }
    const [first] = reasons
    if (first !== undefined && reasons.length === byPerson.get(id)?.length) refused.set(id, first)
  }
  return refused
}

/** Null: one of the subscriptions lets the event through. Who chose nothing has no details. */
function refusalOf(details: readonly Detail[] | undefined, start: Start): string | null {
  if (!details) return null
  const contexts = JSON.stringify(start.event.context_keys ?? [])
  const fitting = details.filter(
    ({ context_keys }) => context_keys.length === 0 || JSON.stringify(context_keys) === contexts,
  )
  if (fitting.length === 0) return 'The subscription to the topic is for other contexts'
  let why = ''
  for (const { preference } of fitting) {
    const refusal = refusalByPreference(preference, start)
    if (refusal === null) return null
    why ||= refusal
  }
  return why
}

/** Of who caused the event only what everybody sees: a rule that asks is answered by whether something came. */
function toRuleScope(start: Start): object {
  const { payload, subscriber, context, actor } = toRenderScope(start, noVariables)
  const { subscriberId, firstName, lastName, avatar } = Object(actor)
  return { payload, subscriber, context, actor: { subscriberId, firstName, lastName, avatar } }
}

function refusalByPreference(preference: Detail['preference'], start: Start): string | null {
  if (!preference) return null
  if (!preference.enabled) return 'Turned off by the subscriber in the subscription to the topic'
  if (preference.condition === undefined) return null
  const judged = judgeRule(preference.condition, toRuleScope(start))
  if (judged === 'too long') return 'The condition of the subscription to the topic takes too long for this payload'
  return judged ? null : 'The condition of the subscription to the topic is not met'
}

/** Of the refused, who is named in the event or let through by a subscription to another of its topics. */
async function reachedOtherwise(
  db: Db,
  env: Env,
  event: EventRow,
  starts: readonly Start[],
  refused: ReadonlyMap<string, string>,
): Promise<string[]> {
  const recipients = (event.recipients ?? []) as readonly StoredRecipient[]
  if (recipients.length <= 1) return []
  const candidates = starts.filter((start) => refused.has(start.subscriber.id))
  const named = new Set(recipients.flatMap((it) => ('subscriberId' in it ? it.subscriberId : [])))
  const isNamed = (start: Start) => named.has(start.subscriber.subscriber_id)
  const topics = recipients.flatMap((it) => ('topicKey' in it ? it : []))
  // A topic may be named twice: only who is left out each time is left out.
  const excluding = Map.groupBy(topics, (it) => it.topicKey)
  const others = candidates.filter((start) => !isNamed(start))
  const byId = new Map(others.map((start) => [start.subscriber.id, start]))
  const found = await listMemberships(db, env, [...excluding.keys()], [...byId.keys()])
  const memberships = found.filter(({ topicKey, subscriberId }) => {
    const externalId = byId.get(subscriberId)?.subscriber.subscriber_id ?? ''
    return excluding.get(topicKey)?.some(({ exclude = [] }) => !exclude.includes(externalId))
  })
  const still = await refusedBy(db, env, others, memberships)
  const members = new Set(memberships.map((it) => it.subscriberId))
  const isLetThrough = ({ subscriber: { id } }: Start) => members.has(id) && !still.has(id)
  return candidates.filter((start) => isNamed(start) || isLetThrough(start)).map((it) => it.subscriber.id)
}
