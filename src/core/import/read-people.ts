import { type Static, Type } from 'typebox'
import type { FieldErrors } from '../../errors.ts'
import { isPlainObject } from '../../lib/canonical-json.ts'
import { newSubscriberInput } from '../../lib/inputs.ts'
import { findRefusedContent } from '../../lib/read-json.ts'
import { fields } from '../../lib/schemas.ts'
import { fieldFaultFinder } from '../../lib/validate.ts'
import { channelCredentialsSchema } from '../subscribers/channel-credentials.ts'
import { choiceInput, workflowRef } from '../subscribers/save-preferences.ts'
import { scheduleFaults, scheduleSchema } from '../subscribers/schedule.ts'
import type { GivenChannel, GivenChoice, GivenPerson, Left } from './import-scope.ts'

const channel = fields({
  providerId: Type.String({ minLength: 1, maxLength: 255 }),
  integrationIdentifier: Type.Optional(Type.String({ maxLength: 255 })),
  credentials: channelCredentialsSchema,
})
/** Without a workflowId: for every workflow. Null takes a choice back. */
const choice = fields({
  workflowId: Type.Optional(workflowRef),
  enabled: choiceInput.enabled,
  channels: Type.Optional(choiceInput.channels),
})

const [mostChannels, mostChoices] = [100, 1_000]

/** Of `person`: the two lists are checked entry by entry, so that one bad entry costs only itself. */
const profile = fields({ ...newSubscriberInput.properties, schedule: Type.Optional(scheduleSchema) })

/** As the reference shows it. */
export const personShown = fields({
  ...profile.properties,
  channels: Type.Optional(Type.Array(channel, { maxItems: mostChannels })),
  preferences: Type.Optional(Type.Array(choice, { maxItems: mostChoices })),
})

const find = {
  profile: fieldFaultFinder(profile),
  channel: fieldFaultFinder(channel),
  choice: fieldFaultFinder(choice),
}

/** A fault of one field leaves out that field; only without an id there is nobody. */
export function readPerson(given: Record<string, unknown>): GivenPerson | { fault: string } {
  const left: Left[] = []
  const { channels, preferences, ...rest } = withoutRefused(given, left)
  const own = withoutFaults(rest, find.profile, left)
  const refused = left.find(({ field }) => field === 'subscriberId')
  if (refused || typeof own.subscriberId !== 'string') return { fault: refused?.why ?? 'is required' }
  // Validated.
  const { schedule, ...fieldsOf } = own as Static<typeof profile>
  const scheduleFault = schedule ? Object.values(scheduleFaults(schedule))[0] : undefined
  if (scheduleFault) left.push({ field: 'schedule', why: scheduleFault.messages[0] ?? 'is not valid' })
  return {
    profile: { ...fieldsOf, subscriberId: fieldsOf.subscriberId.trim() },
    schedule: scheduleFault ? undefined : schedule,
    channels: listOf(channels, 'channels', mostChannels, find.channel, left).map(({ at, item }) => ({
      at,
      channel: item as GivenChannel,
    })),
    saysChannels: Array.isArray(channels),
    choices: listOf(preferences, 'preferences', mostChoices, find.choice, left).map(({ at, item }) => ({
      at,
      choice: item as GivenChoice,
    })),
    saysChoices: Array.isArray(preferences),
    left,
  }
}

/** Text that PostgreSQL cannot hold, and the like. */
function withoutRefused(given: Record<string, unknown>, left: Left[]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given).filter(([field, value]) => {
      const refused = findRefusedContent({ [field]: value })
      if (refused) left.push({ field: refused.path || field, why: refused.reason })
      return !refused
    }),
  )
}

type Finder = (value: unknown) => FieldErrors | null

function withoutFaults(given: Record<string, unknown>, finder: Finder, left: Left[]): Record<string, unknown> {
  const kept = { ...given }
  for (const [path, { messages }] of Object.entries(finder(kept) ?? {})) {
    const [field = ''] = path.split('.')
    left.push({ field: path, why: messages[0] ?? 'is not valid' })
    delete kept[field]
  }
  return kept
}

function listOf(given: unknown, field: string, most: number, finder: Finder, left: Left[]) {
  if (given === undefined || given === null) return []
  if (!Array.isArray(given)) {
    left.push({ field, why: 'must be a list' })
    return []
  }
  if (given.length > most) left.push({ field, why: `has ${given.length} entries: only the first ${most} are taken` })
  return given.slice(0, most).flatMap((item: unknown, at) => {
    const faults = isPlainObject(item) ? finder(item) : { '': { messages: ['must be an object'] } }
    const [first] = Object.entries(faults ?? {})
    if (!first) return [{ at, item }]
    left.push({ field: [field, at, first[0]].filter((part) => part !== '').join('.'), why: first[1].messages[0] ?? '' })
    return []
  })
}
