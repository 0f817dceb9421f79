import { Type } from 'typebox'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { oneOf } from '../../lib/schemas.ts'
import { lockSubscribers, putChannels, touchSubscribers, upsertSchedules } from '../../store/import/people.ts'
import { upsertPreferences } from '../../store/preferences.ts'
import { listSubscribersById } from '../../store/subscribers.ts'
import { toProfile } from '../subscribers/profile.ts'
import { saveSubscribers } from '../subscribers/save-subscribers.ts'
import {
  chosenSchema,
  type ImportAction,
  importActions,
  type Left,
  leftSchema,
  type Person,
  type Scope,
} from './import-scope.ts'
import { planChannels } from './plan-channels.ts'
import { planChoices, planSchedules } from './plan-choices.ts'
import { readPerson } from './read-people.ts'

export const importedPeopleSchema = Type.Object(
  {
    dryRun: Type.Boolean(),
    subscribers: Type.Array(
      Type.Object({
        subscriberId: Type.Optional(Type.String()),
        action: oneOf(importActions),
        changes: Type.Array(Type.String({ description: 'A field that was not here as given. Never its value.' })),
        left: leftSchema,
        chosen: Type.Array(chosenSchema, { description: 'With `preferences`: all that they have chosen here now.' }),
      }),
      { description: 'In the order of the request.' },
    ),
  },
  { title: 'ImportedSubscribers' },
)

/**
 * Makes people what another service says of them: profile, channels, preferences, schedule. Some statements for all of
 * them. What is here as given already is not written. Of somebody who is named twice, the later entry counts.
 */
export async function importPeople(scope: Scope, list: readonly Record<string, unknown>[]) {
  const read = list.map(readPerson)
  const people = new Map<string, Person>()
  for (const given of read) {
    if ('fault' in given) continue
    people.set(given.profile.subscriberId, { given, row: null, changes: new Set(), left: given.left, chosen: [] })
  }
  const created = await saveProfiles(scope, people)
  const all = [...people.values()]
  const channels = await planChannels(scope, all)
  const untouched = new Set(all.flatMap(({ row, changes }) => (row && !hasProfileChange(changes) ? row.id : [])))
  const choices = await planChoices(scope, all)
  const schedules = await planSchedules(scope, all)
  if (!scope.dryRun) {
    const { db, env, now } = scope
    await putChannels(db, env, channels)
    const reached = new Set(channels.map(({ subscriberId }) => subscriberId))
    await touchSubscribers(
      db,
      env,
      [...reached].filter((id) => untouched.has(id) && !created.has(id)),
      now,
    )
    await upsertPreferences(db, env, choices, now)
    await upsertSchedules(db, env, schedules, now)
  }
  return {
    dryRun: scope.dryRun,
    subscribers: read.map((given, at) => {
      if ('fault' in given)
        return { ...idOf(list[at]), action: 'failed' as const, changes: [], left: [toLeft(given)], chosen: [] }
      const { subscriberId } = given.profile
      const person = people.get(subscriberId)
      const changes = [...(person?.changes ?? [])]
      const isNew = !person?.row || created.has(person.row.id)
      const action: ImportAction = isNew ? 'created' : changes.length > 0 ? 'updated' : 'unchanged'
      return { subscriberId, action, changes, left: person?.left ?? [], chosen: person?.chosen ?? [] }
    }),
  }
}

function hasProfileChange(changes: ReadonlySet<string>): boolean {
  return [...changes].some((field) => !field.startsWith('channels.'))
}

/** Returns the internal ids of those who are new. */
async function saveProfiles({ db, env, now, dryRun }: Scope, people: Map<string, Person>): Promise<Set<string>> {
  const ids = [...people.keys()]
  const before = dryRun ? await listSubscribersById(db, env, ids) : await lockSubscribers(db, env, ids)
  const rows = new Map(before.map((row) => [row.subscriber_id, row]))
  for (const [subscriberId, person] of people) {
    person.row = rows.get(subscriberId) ?? null
    for (const field of changedFields(person)) person.changes.add(field)
  }
  if (dryRun) return new Set()
  const wanted = [...people.values()].filter(({ row, changes }) => !row || changes.size > 0)
  const saved = await saveSubscribers(
    db,
    env,
    wanted.map(({ given }) => given.profile),
    now,
  )
  const created = new Set<string>()
  for (const [subscriberId, { row, outcome }] of saved) {
    const person = people.get(subscriberId)
    if (person) person.row = row
    if (outcome === 'created') created.add(row.id)
  }
  return created
}

/** Of somebody new: everything that is not empty. */
function changedFields({ given, row }: Person): string[] {
  const stored: Record<string, unknown> = row ? { ...toProfile(row), data: row.data } : {}
  return Object.entries(given.profile).flatMap(([field, value]) =>
    field === 'subscriberId' || canonicalJson(stored[field] ?? null) === canonicalJson(value ?? null) ? [] : field,
  )
}

function toLeft({ fault }: { fault: string }): Left {
  return { field: 'subscriberId', why: fault }
}

function idOf(given: Record<string, unknown> | undefined): { subscriberId?: string } {
  const id = given?.subscriberId
  return typeof id === 'string' ? { subscriberId: id } : {}
}
