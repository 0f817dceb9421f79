import { type Static, Type } from 'typebox'
import { saveSubscribers } from '../../core/subscribers/save-subscribers.ts'
import { defineRoute } from '../../http/define-route.ts'
import { newSubscriberInput } from '../../lib/inputs.ts'
import { fields, freeObject } from '../../lib/schemas.ts'
import { faultFinder } from '../../lib/validate.ts'
import type { SubscriberPatch } from '../../store/subscribers.ts'

const subscriberRef = Type.Object({ subscriberId: Type.String() })
const failedItem = Type.Object({ subscriberId: Type.Optional(Type.String()), message: Type.String() })
const faultOf = faultFinder(newSubscriberInput)

export default defineRoute({
  method: 'POST',
  path: '/v1/subscribers/bulk',
  summary: 'Create or update up to 500 subscribers; one bad entry does not stop the others',
  // The handler checks each entry by itself.
  body: fields({ subscribers: Type.Array(freeObject, { minItems: 1, maxItems: 500 }) }),
  status: 201,
  response: Type.Object({
    created: Type.Array(subscriberRef),
    updated: Type.Array(subscriberRef),
    failed: Type.Array(failedItem),
  }),
  async handler({ db, env, now, body }) {
    const failed: Static<typeof failedItem>[] = []
    const patches = new Map<string, SubscriberPatch>()
    for (const item of body.subscribers) {
      const fault = findFault(item)
      if (fault) failed.push(fault)
      // The same person twice: the fields of the later entry win.
      else patches.set(subscriberIdOf(item), { ...patches.get(subscriberIdOf(item)), ...toPatch(item) })
    }
    const saved = await saveSubscribers(db, env, [...patches.values()], now)
    const refs = (isWanted: (outcome: string) => boolean) =>
      [...patches.keys()].flatMap((subscriberId) =>
        isWanted(saved.get(subscriberId)?.outcome ?? '') ? { subscriberId } : [],
      )
    return { created: refs((it) => it === 'created'), updated: refs((it) => it !== 'created'), failed }
  },
})

function findFault(item: Record<string, unknown>): Static<typeof failedItem> | null {
  const message = faultOf(item)
  const { subscriberId } = item
  return message === null ? null : { ...(typeof subscriberId === 'string' && { subscriberId }), message }
}

function subscriberIdOf(item: Record<string, unknown>): string {
  return String(item.subscriberId).trim()
}

/** `faultOf` has checked the item and removed unknown fields. */
function toPatch(item: Record<string, unknown>): SubscriberPatch {
  return { ...item, subscriberId: subscriberIdOf(item) }
}
