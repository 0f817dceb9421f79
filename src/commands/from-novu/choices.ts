import { isPlainObject } from '../../lib/canonical-json.ts'
import { channels } from '../../providers/provider.ts'
import { address } from './address.ts'
import { type Item, listAll } from './lists.ts'
import { textIn } from './names.ts'
import type { Source } from './source.ts'

type Left = { field: string; why: string }

/** What holds in a workflow for who chose nothing. */
type Defaults = { enabled: boolean; channels: Record<string, boolean> }

/** By workflowId. Null: it could not be read, so nobody's choice for it can be told. */
export type DefaultsOf = ReadonlyMap<string, Defaults | null>

/** The only thing that an import holds of all workflows: some booleans each. `read`: undefined when it could not. */
export async function loadDefaults(
  source: Source,
  read: (workflowId: string, load: () => Promise<unknown>) => Promise<unknown>,
): Promise<DefaultsOf> {
  const defaults = new Map<string, Defaults | null>()
  for (const { workflowId } of await listAll(source, '/v2/workflows', (it) => textIn(it.workflowId))) {
    const id = textIn(workflowId)
    const workflow = await read(id, () => source.find(address`/v2/workflows/${id}`))
    if (workflow === undefined) defaults.set(id, null)
    else if (isPlainObject(workflow)) defaults.set(id, readDefaults(workflow.preferences))
  }
  return defaults
}

function readDefaults(preferences: unknown): Defaults {
  const layers = isPlainObject(preferences) ? [preferences.user, preferences.default].filter(isPlainObject) : []
  const enabledOf = (value: unknown) =>
    isPlainObject(value) && typeof value.enabled === 'boolean' ? value.enabled : undefined
  const first = (read: (layer: Item) => unknown) =>
    layers.map((it) => enabledOf(read(it))).find((it) => it !== undefined)
  const enabled = first(({ all }) => all) ?? true
  return {
    enabled,
    channels: Object.fromEntries(
      channels.map((name) => [
        name,
        first(({ channels: own, all }) => (isPlainObject(own) && own[name] !== undefined ? own[name] : all)) ?? true,
      ]),
    ),
  }
}

type Choice = { workflowId?: string; enabled?: boolean; channels: Record<string, boolean> }
/** What holds for somebody and may have been chosen or not: by workflowId; null: for all. `enabled` stands beside the channels. */
export type Holds = ReadonlyMap<string | null, Readonly<Record<string, boolean>>>
type Read = { choice: Choice; holds: Record<string, boolean> }

/**
 * The other service says only what holds for a person, and not what they chose. What follows from their general choice and
 * from the workflow may be no choice of theirs; whatever else holds must be one. Null: the reply says nothing.
 */
export function readChoices(reply: unknown, defaults: DefaultsOf): { chosen: Item; holds: Holds } | null {
  if (!isPlainObject(reply) || !isPlainObject(reply.global)) return null
  const general = readGeneral(reply.global)
  const { schedule } = reply.global
  const workflows = Array.isArray(reply.workflows) ? reply.workflows.filter(isPlainObject) : []
  const read = [general, ...workflows.flatMap((it) => readOfWorkflow(it, general.choice, defaults) ?? [])]
  const isChoice = ({ enabled, channels: own }: Choice) => enabled !== undefined || Object.keys(own).length > 0
  return {
    chosen: {
      preferences: read.map(({ choice }) => choice).filter(isChoice),
      ...(isPlainObject(schedule) && { schedule: readSchedule(schedule) }),
    },
    holds: new Map(read.map(({ choice, holds }) => [choice.workflowId ?? null, holds])),
  }
}

/** What is on by default is no choice, and neither is what is off because all is. */
function readGeneral({ enabled, channels: own }: Item): Read {
  const isOff = enabled === false
  const shown = booleansIn(own)
  const channels = Object.fromEntries(shown.filter(([, value]) => value === isOff))
  const others = Object.fromEntries(shown.filter(([, value]) => value !== isOff))
  return {
    choice: { ...(isOff && { enabled: false }), channels },
    holds: { ...others, ...(!isOff && { enabled: true }) },
  }
}

function readOfWorkflow(given: Item, general: Choice, defaults: DefaultsOf): Read | null {
  const { workflow, channels: shown, overrides, updatedAt, enabled } = given
  if (!isPlainObject(workflow) || workflow.critical === true || !isPlainObject(shown)) return null
  const workflowId = textIn(workflow.identifier)
  const known = defaults.get(workflowId)
  if (known === null) return null
  const usual = known ?? { enabled: true, channels: {} }
  const hasChosen = typeof updatedAt === 'string'
  const expectedAll = general.enabled ?? usual.enabled
  const ownAll = typeof enabled === 'boolean' && enabled !== expectedAll ? enabled : undefined
  const own: Record<string, boolean> = {}
  const holds: Record<string, boolean> = typeof enabled === 'boolean' && ownAll === undefined ? { enabled } : {}
  for (const [name, value] of booleansIn(shown)) {
    const expected = ownAll ?? general.channels[name] ?? general.enabled ?? usual.channels[name] ?? true
    const isCertain = value !== expected || (ownAll === undefined && hasChosen && isOwn(overrides, name))
    if (isCertain) own[name] = value
    else holds[name] = value
  }
  return { choice: { workflowId, channels: own, ...(ownAll !== undefined && { enabled: ownAll }) }, holds }
}

/** What somebody chose here, as our import tells it, where something else holds there. Nobody can tell which was later. */
export function otherHere(holds: Holds, chosen: unknown): Left[] {
  if (!Array.isArray(chosen)) return []
  return chosen.filter(isPlainObject).flatMap(({ workflowId, enabled, channels: own }) => {
    const name = typeof workflowId === 'string' ? workflowId : null
    const where = name === null ? '' : ` in the workflow ${name}`
    return Object.entries(holds.get(name) ?? {}).flatMap(([key, value]) => {
      const ours = key === 'enabled' ? enabled : isPlainObject(own) ? own[key] : undefined
      if (typeof ours !== 'boolean' || ours === value) return []
      const words = value ? 'is on there and off here' : 'is off there and on here'
      return [{ field: `preferences.${key}`, why: `${words}${where}: what was chosen here stays` }]
    })
  })
}

function booleansIn(shown: unknown): [string, boolean][] {
  return channels.flatMap((name): [string, boolean][] => {
    const value = isPlainObject(shown) ? shown[name] : undefined
    return typeof value === 'boolean' ? [[name, value]] : []
  })
}

function isOwn(overrides: unknown, channel: string): boolean {
  const list = Array.isArray(overrides) ? overrides.filter(isPlainObject) : []
  return list.some((it) => it.channel === channel && it.source === 'subscriber')
}

/** Without what only the other service keeps in it. */
function readSchedule({ isEnabled, weeklySchedule }: Item): Item {
  const days = isPlainObject(weeklySchedule)
    ? Object.entries(weeklySchedule).filter(([, day]) => isPlainObject(day))
    : null
  return { isEnabled: isEnabled === true, ...(days && { weeklySchedule: Object.fromEntries(days) }) }
}
