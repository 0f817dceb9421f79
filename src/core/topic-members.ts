import { type Static, Type } from 'typebox'
import { invalidField } from '../errors.ts'
import { fields } from '../lib/schemas.ts'

const memberObject = fields({ subscriberId: Type.Optional(Type.String()), identifier: Type.Optional(Type.String()) })
const members = Type.Array(
  Type.Unsafe<string | Static<typeof memberObject>>({ anyOf: [{ type: 'string' }, memberObject] }),
  {
    maxItems: 100,
  },
)

/** `subscriptions` and the older `subscriberIds` mean the same; both together are one list. */
export const topicMembersInput = fields({
  subscriptions: Type.Optional(members),
  subscriberIds: Type.Optional(Type.Array(Type.String(), { maxItems: 100 })),
})

/** The subscriber ids asked for, each once, in the order given. */
export function readMembers(body: Static<typeof topicMembersInput>): string[] {
  const named = (body.subscriptions ?? []).map((member) => (typeof member === 'string' ? member : idOf(member)))
  const ids = [...new Set([...named, ...(body.subscriberIds ?? [])])]
  if (ids.length === 0) throw invalidField('subscriptions', 'must name 1 to 100 subscribers')
  if (ids.length > 100) throw invalidField('subscriptions', `names ${ids.length} subscribers; at most 100 per call`)
  return ids
}

/** A subscription's identifier ends in its subscriberId. */
function idOf({ subscriberId, identifier }: Static<typeof memberObject>): string {
  const id = subscriberId ?? identifier?.split(':si_').slice(1).join(':si_')
  if (!id) throw invalidField('subscriptions', 'each must be a subscriberId or an object with one')
  return id
}
