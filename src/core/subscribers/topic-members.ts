import { type Static, Type } from 'typebox'
import { invalidField } from '../../errors.ts'
import { isTopicKey } from '../../lib/formats.ts'
import { fields } from '../../lib/schemas.ts'

const memberObject = fields({ subscriberId: Type.Optional(Type.String()), identifier: Type.Optional(Type.String()) })
const members = Type.Array(
  Type.Unsafe<string | Static<typeof memberObject>>({ anyOf: [{ type: 'string' }, memberObject] }),
  {
    maxItems: 100,
  },
)

/** `subscriptions` and the older `subscriberIds` mean the same; given both, they are joined. */
export const topicMembersInput = fields({
  subscriptions: Type.Optional(members),
  subscriberIds: Type.Optional(Type.Array(Type.String(), { maxItems: 100 })),
})

/** What was asked for, without duplicates and in order, and the subscribers it names. */
export function readMembers(
  body: Static<typeof topicMembersInput>,
  topicKey: string,
): { asked: string[]; subscriberIds: string[] } {
  const named = new Map<string, string | null>()
  for (const member of [...(body.subscriptions ?? []), ...(body.subscriberIds ?? [])]) {
    const [asked, subscriberId] = readMember(member, topicKey)
    named.set(asked, subscriberId ?? named.get(asked) ?? null)
  }
  if (named.size === 0) throw invalidField('subscriptions', 'must name 1 to 100 subscribers')
  if (named.size > 100) throw invalidField('subscriptions', `names ${named.size} subscribers; at most 100 per call`)
  return { asked: [...named.keys()], subscriberIds: [...named.values()].filter((id) => id !== null) }
}

/** `subscriberId` is null if the identifier belongs to another topic. */
function readMember(
  member: string | Static<typeof memberObject>,
  topicKey: string,
): [asked: string, subscriberId: string | null] {
  if (typeof member === 'string') return [member, member]
  const asked = member.subscriberId ?? member.identifier
  if (!asked) throw invalidField('subscriptions', 'each must be a subscriberId or an object with one')
  if (member.subscriberId) return [asked, asked]
  const identified = identifiedSubscriber(topicKey, asked)
  return [identified ?? asked, identified]
}

export function subscriptionIdentifier(key: string, subscriberId: string): string {
  return `tk_${key}:si_${subscriberId}`
}

/** The same for a person in some contexts. */
export function defaultIdentifier(key: string, subscriberId: string, contextKeys: readonly string[]): string {
  const plain = subscriptionIdentifier(key, subscriberId)
  return contextKeys.length > 0 ? `${plain}:ctx_${[...contextKeys].sort().join(',')}` : plain
}

export function checkTopicKey(key: string): void {
  // Counted in characters, as a schema's maxLength counts.
  if ([...key].length > 100 || !isTopicKey(key)) {
    throw invalidField('topicKey', 'may hold letters, digits, "-", "_" and ":", or be an e-mail address', key)
  }
}

/** The subscriber of a subscription identifier; null if it is not of this topic. */
export function identifiedSubscriber(key: string, identifier: string): string | null {
  const prefix = subscriptionIdentifier(key, '')
  return identifier.startsWith(prefix) ? identifier.slice(prefix.length) : null
}
