import { isPlainObject } from '../../lib/canonical-json.ts'

type Values = Record<string, unknown>

/** What a trigger changes for one channel. The step's overrides win over those of the whole event. */
export function channelOverrides(overrides: unknown, channel: string, stepId: string): Values {
  const step = at(overrides, 'steps', stepId)
  return {
    ...at(overrides, channel),
    ...at(overrides, 'channels', channel),
    ...at(step, channel),
    ...at(step, 'channels', channel),
  }
}

/** What a trigger passes to one vendor, in the vendor's own format. The more specific place wins. */
export function providerOverrides(overrides: unknown, providerId: string, stepId: string): Values {
  return {
    ...at(overrides, providerId),
    ...at(overrides, 'providers', providerId),
    ...at(overrides, 'steps', stepId, 'providers', providerId),
  }
}

/** Own properties only. */
function at(value: unknown, ...path: string[]): Values {
  let found = value
  for (const key of path) found = isPlainObject(found) && Object.hasOwn(found, key) ? found[key] : undefined
  return isPlainObject(found) ? found : {}
}
