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

const faultsOfSubscriber = faultFinder(inlineSubscriber)
const faultsOfTopic = faultFinder(topicRecipient)

/** `to` of an event: ids, subscribers, topics, or a list of them. Every entry that cannot be used is reported. */
export function readRecipients(to: unknown): { recipients: Recipient[]; faults: string[] } {
  const recipients: Recipient[] = []
  const faults: string[] = []
  const list = Array.isArray(to) ? to : to === undefined || to === null ? [] : [to]
  if (list.length === 0) return { recipients, faults: ['to must name at least one recipient'] }
  for (const [index, item] of list.entries()) {
    const read = readRecipient(item)
    if ('fault' in read) faults.push(`${Array.isArray(to) ? `to.${index}` : 'to'} ${read.fault}`)
    else recipients.push(read.recipient)
  }
  return { recipients, faults }
}

function readRecipient(item: unknown): { recipient: Recipient } | { fault: string } {
  if (isPlainObject(item) && (item.type === 'Topic' || 'topicKey' in item)) {
    const topic = { ...item }
    const fault = faultsOfTopic(topic)
    return fault ? { fault } : { recipient: topic as TopicRecipient }
  }
  const subscriber = typeof item === 'string' ? { subscriberId: item } : isPlainObject(item) ? { ...item } : null
  if (!subscriber) return { fault: 'must be a subscriberId, a subscriber or a topic' }
  const fault = faultsOfSubscriber(subscriber)
  if (fault) return { fault }
  const read = subscriber as InlineSubscriber
  return { recipient: { ...read, subscriberId: read.subscriberId.trim() } }
}
