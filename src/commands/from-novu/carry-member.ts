import { isPlainObject } from '../../lib/canonical-json.ts'
import type { Item } from './lists.ts'
import { textIn } from './names.ts'

type Left = { field?: string; why: string; isUnread?: boolean }
/** `member`: as POST /v1/import/topics takes it. */
export type CarriedMember = { member: Item & { topicKey: string; subscriberId: string }; left: Left[] }

/**
 * One entry of the list of a topic, which may hold all subscriptions of a person. Where the list does not tell the name and
 * the choices of a subscription, it is asked for by itself (`read`), unless `asks` is false.
 */
export async function carryMember(
  read: (ref: string) => Promise<{ found: unknown } | { left: Left }>,
  topicKey: string,
  given: Item,
  asks: boolean,
): Promise<CarriedMember[]> {
  const person = isPlainObject(given.subscriber) ? given.subscriber : {}
  const place = { topicKey, subscriberId: textIn(person.subscriberId) }
  const whole = Array.isArray(given.subscriptions) ? given.subscriptions.filter(isPlainObject) : []
  if (whole.length > 0) return whole.map((it) => carryOne(place, it))
  const tellsAll = Array.isArray(given.preferences) && 'name' in given
  if (tellsAll || !asks) return [carryOne(place, given)]
  const ref = textIn(given.identifier) || textIn(given._id) || textIn(given.id)
  const answer = ref === '' ? { found: null } : await read(ref)
  const detail = 'found' in answer && isPlainObject(answer.found) ? answer.found : null
  const carried = carryOne(place, detail ? { ...given, ...detail } : given)
  const unread = { field: 'preferences', why: 'the other service does not tell the name and choices of this one' }
  if (!detail) carried.left.push('left' in answer ? answer.left : unread)
  return [carried]
}

function carryOne(place: { topicKey: string; subscriberId: string }, given: Item): CarriedMember {
  const left: Left[] = []
  const { name, contextKeys, preferences } = given
  const identifier = textIn(given.identifier)
  const plain = `tk_${place.topicKey}:si_${place.subscriberId}`
  const isInContexts = identifier.startsWith(`${plain}:ctx_`)
  const isOwn = identifier !== '' && identifier !== plain && !isInContexts
  const contexts = Array.isArray(contextKeys) ? contextKeys : []
  if (isInContexts && contexts.length === 0)
    left.push({ field: 'contextKeys', why: 'the other service does not tell its contexts, so it holds in all' })
  const choices = Array.isArray(preferences) ? preferences.flatMap((it) => carryChoice(it, left)) : []
  const member = {
    ...place,
    ...(isOwn && { identifier }),
    ...(textIn(name) !== '' && { name }),
    ...(contexts.length > 0 && { contextKeys: contexts }),
    ...(choices.length > 0 && { preferences: choices }),
  }
  return { member, left }
}

function carryChoice(given: unknown, left: Left[]): Item[] {
  const workflow = isPlainObject(given) && isPlainObject(given.workflow) ? textIn(given.workflow.identifier) : ''
  if (!isPlainObject(given) || workflow === '') {
    left.push({ field: 'preferences', why: 'the other service does not tell the workflow of a choice' })
    return []
  }
  const { enabled, condition } = given
  const hasCondition = condition !== undefined && condition !== null
  return [{ workflowId: workflow, enabled: enabled !== false, ...(hasCondition && { condition }) }]
}
