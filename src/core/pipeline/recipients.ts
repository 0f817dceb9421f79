import { type Static, Type } from 'typebox'
import { isPlainObject } from '../../lib/canonical-json.ts'
import { profileProperties, subscriberIdInput } from '../../lib/inputs.ts'
import { fields, oneOf } from '../../lib/schemas.ts'
import { faultFinder } from '../../lib/validate.ts'
import { channelProviderIds } from '../../providers/provider-ids.ts'
import { channelCredentialsSchema } from '../subscribers/channel-credentials.ts'

/** A subscriber given in the event itself: created or updated before being notified. */
export const inlineSubscriber = fields({
  subscriberId: subscriberIdInput,
  ...profileProperties,
  channels: Type.Optional(
    Type.Array(
      fields({
        providerId: oneOf(channelProviderIds),
        integrationIdentifier: Type.Optional(Type.String()),
        credentials: channelCredentialsSchema,
      }),
      { maxItems: 100 },
    ),
  ),
})
export type InlineSubscriber = Static<typeof inlineSubscriber>
export type TopicRecipient = { topicKey: string; exclude?: string[] }
export type Recipient = InlineSubscriber | TopicRecipient
/** As stored with the event, in the given order. A subscriber deleted since is replaced by a mark. */
export type StoredRecipient = Recipient | { erased: true }

const topicRecipient = fields({
  topicKey: Type.String({ minLength: 1, maxLength: 100 }),
  exclude: Type.Optional(Type.Array(Type.String(), { maxItems: 10_000 })),
})

/** The forms of `to`, as the API description shows them; `readRecipients` reads and judges them one by one. */
const subscriberShown = Type.Object(
  { type: Type.Optional(oneOf(['Subscriber'])), ...inlineSubscriber.properties },
  { title: 'SubscriberRecipient' },
)
const topicShown = Type.Object(
  { type: Type.Optional(oneOf(['Topic'])), ...topicRecipient.properties },
  { title: 'TopicRecipient' },
)
export const actorShown = Type.Unsafe<unknown>({ anyOf: [subscriberIdInput, subscriberShown] })
const recipientShown = { anyOf: [subscriberIdInput, subscriberShown, topicShown] }
export const recipientsShown = Type.Unsafe<unknown>({
  anyOf: [...recipientShown.anyOf, { type: 'array', items: recipientShown }],
  description: 'A subscriberId, a subscriber (created or updated by this), a topic, or a list of these.',
})

const faultsOfSubscriber = faultFinder(inlineSubscriber)
const faultsOfTopic = faultFinder(topicRecipient)

/** The topics that `to` of an event names, before it is checked. */
export function topicKeysOf(to: unknown): string[] {
  return [to].flat().flatMap((it) => (isPlainObject(it) && typeof it.topicKey === 'string' ? it.topicKey : []))
}

/**
 * `to` of an event: ids, subscribers, topics, or a list of them. Every entry that cannot be used is reported, also a
 * topic that is not among those known.
 */
export function readRecipients(to: unknown, topics?: Set<string>): { recipients: Recipient[]; faults: string[] } {
  const recipients: Recipient[] = []
  const faults: string[] = []
  const list = Array.isArray(to) ? to : to === undefined || to === null ? [] : [to]
  if (list.length === 0) return { recipients, faults: ['to must name at least one recipient'] }
  for (const [index, item] of list.entries()) {
    const read = readRecipient(item, topics)
    if ('fault' in read) faults.push(`${Array.isArray(to) ? `to.${index}` : 'to'} ${read.fault}`)
    else recipients.push(read.recipient)
  }
  return { recipients, faults }
}

function readRecipient(item: unknown, topics: Set<string> | undefined): { recipient: Recipient } | { fault: string } {
  const type = isPlainObject(item) ? (item.type ?? ('topicKey' in item ? 'Topic' : 'Subscriber')) : null
  if (isPlainObject(item) && type === 'Topic') {
    const topic = { ...item }
    const fault = faultsOfTopic(topic)
    if (fault) return { fault }
    const read = topic as TopicRecipient
    return topics?.has(read.topicKey) === false
      ? { fault: `names the topic "${read.topicKey}", which does not exist` }
      : { recipient: read }
  }
  if (type !== null && type !== 'Subscriber') return { fault: 'type must be Subscriber or Topic' }
  const subscriber = typeof item === 'string' ? { subscriberId: item } : isPlainObject(item) ? { ...item } : null
  if (!subscriber) return { fault: 'must be a subscriberId, a subscriber or a topic' }
  const fault = faultsOfSubscriber(subscriber)
  if (fault) return { fault }
  const read = subscriber as InlineSubscriber
  return { recipient: { ...read, subscriberId: read.subscriberId.trim() } }
}
