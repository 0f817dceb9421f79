import { isPlainObject } from '../../lib/canonical-json.ts'

type Values = Record<string, unknown>

/** What stands beside the vendors' names. */
const ourWords = new Set(['email', 'sms', 'push', 'chat', 'in_app', 'channels', 'steps', 'providers'])

// By event: its overrides are one object, asked for each of its people.
const known = new WeakMap<object, Map<string, Values>>()

/** What a trigger changes for one channel. The step's overrides win over those of the whole event. */
export function channelOverrides(overrides: unknown, channel: string, stepId: string): Values {
  if (!isPlainObject(overrides)) return {}
  const ofEvent = known.get(overrides) ?? new Map<string, Values>()
  known.set(overrides, ofEvent)
  const key = `${channel} ${stepId}`
  const merged = ofEvent.get(key) ?? Object.assign({}, ...channelPlaces(overrides, channel, stepId))
  ofEvent.set(key, merged)
  return merged
}

/** The more specific place comes later. */
function channelPlaces(overrides: unknown, channel: string, stepId: string | null): Values[] {
  const step = stepId === null ? {} : at(overrides, 'steps', stepId)
  return [at(overrides, channel), at(overrides, 'channels', channel), at(step, channel), at(step, 'channels', channel)]
}

/** Whether an e-mail of some step would go to more than `most` addresses. */
export function hasMoreAddresses(overrides: Values, most: number): boolean {
  const stepIds = [null, ...Object.keys(at(overrides, 'steps'))]
  return stepIds.some((stepId) => {
    const places = channelPlaces(overrides, 'email', stepId)
    const counts = ['to', 'cc', 'bcc'].map((name) => {
      const given = places.findLast((place) => Object.hasOwn(place, name))?.[name]
      return Array.isArray(given) ? given.length : Number(typeof given === 'string')
    })
    return counts.reduce((sum, count) => sum + count, 0) > most
  })
}

/** What a trigger passes to one vendor, in the vendor's own format. The more specific place wins. */
export function providerOverrides(overrides: unknown, providerId: string, stepId: string): Values {
  return {
    ...at(overrides, providerId),
    ...at(overrides, 'providers', providerId),
    ...at(overrides, 'steps', stepId, 'providers', providerId),
  }
}

/** All that a trigger passes to any vendor. */
export function vendorOverrides(overrides: unknown, stepId: string): Values[] {
  const own = Object.entries(isPlainObject(overrides) ? overrides : {}).filter(([name]) => !ourWords.has(name))
  return [Object.fromEntries(own), at(overrides, 'providers'), at(overrides, 'steps', stepId, 'providers')]
}

/** With what the bridge adds for vendors. What the trigger says wins. */
export function withProviders(overrides: unknown, envelope: unknown): unknown {
  const added = Object.entries(at(envelope, 'providers')).filter(([id]) => !ourWords.has(id))
  if (added.length === 0) return overrides
  const merged = added.map(([id, values]) => [id, { ...(isPlainObject(values) && values), ...at(overrides, id) }])
  return { ...(isPlainObject(overrides) && overrides), ...Object.fromEntries(merged) }
}

/** Own properties only. */
function at(value: unknown, ...path: string[]): Values {
  let found = value
  for (const key of path) found = isPlainObject(found) && Object.hasOwn(found, key) ? found[key] : undefined
  return isPlainObject(found) ? found : {}
}
