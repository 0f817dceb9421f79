import { canonicalJson } from '../../lib/canonical-json.ts'
import type { NewSchedule } from '../../store/import/people.ts'
import { findPreferences, type PreferenceChange } from '../../store/preferences.ts'
import { findWorkflowsByIdentifier } from '../../store/workflows.ts'
import { type Choices, choicesByScope, isReadOnly } from '../subscribers/preferences.ts'
import { loadSchedules, type Schedule } from '../subscribers/schedule.ts'
import { getWorkflows, type Workflow } from '../workflows/workflow.ts'
import type { GivenChoice, GivenValues, Person, Scope } from './import-scope.ts'

/** What is to be written so that these people have chosen as given; what they chose besides stays. */
export async function planChoices(scope: Scope, people: readonly Person[]): Promise<PreferenceChange[]> {
  const wanted = people.filter(({ given }) => given.choices.length > 0)
  if (wanted.length === 0) return []
  const workflows = await loadWorkflows(
    scope,
    wanted.flatMap(({ given }) => given.choices.flatMap(({ choice }) => choice.workflowId ?? [])),
  )
  const ids = wanted.flatMap(({ row }) => row?.id ?? [])
  const rows = await findPreferences(
    scope.db,
    scope.env,
    ids,
    [...workflows.values()].map(({ id }) => id),
  )
  const stored = choicesByScope(rows)
  return wanted.flatMap((person) => {
    const changes = new Map<string | null, Choices>()
    for (const { at, choice } of person.given.choices) {
      const workflow = choice.workflowId === undefined ? null : workflows.get(choice.workflowId)
      const why = refusalOf(choice, workflow)
      if (why !== null) {
        // Nobody chose anything that is lost.
        if (Object.keys(toChoices(choice)).length > 0) person.left.push({ field: `preferences.${at}`, why })
        continue
      }
      const id = workflow?.id ?? null
      const before = { ...(person.row && stored(person.row.id, id)), ...changes.get(id) }
      const changed = changedChoices(before, choice)
      for (const { name, words } of otherHere({ ...before, ...changed }, choice)) {
        person.left.push({ field: `preferences.${at}.${name}`, why: words })
      }
      if (Object.keys(changed).length === 0) continue
      changes.set(id, { ...changes.get(id), ...changed })
      for (const name of Object.keys(changed)) {
        person.changes.add(['preferences', choice.workflowId ?? '*', name].join('.'))
      }
    }
    const { row } = person
    if (!row) return []
    return [...changes].map(([workflowId, choices]) => ({ subscriberId: row.id, workflowId, choices }))
  })
}

async function loadWorkflows({ db, env }: Scope, identifiers: readonly string[]): Promise<Map<string, Workflow>> {
  const rows = await findWorkflowsByIdentifier(db, env, [...new Set(identifiers)])
  const versions = await getWorkflows(db, env, rows)
  return new Map(
    rows.flatMap((row) => {
      const workflow = versions.of(row)
      return workflow ? [[row.identifier, workflow] as const] : []
    }),
  )
}

function refusalOf({ workflowId }: GivenChoice, workflow: Workflow | null | undefined): string | null {
  if (workflow === undefined) return `there is no workflow ${workflowId} here`
  if (workflow && isReadOnly(workflow)) return `the workflow ${workflowId} leaves its subscribers no choice here`
  return null
}

function toChoices({ enabled, channels }: GivenValues): Choices {
  return { ...channels, ...(enabled !== undefined && { all: enabled }) }
}

/** Null and none are the same. */
function changedChoices(before: Choices, choice: GivenChoice): Choices {
  const stored = new Map<string, unknown>(Object.entries(before))
  return Object.fromEntries(
    Object.entries(toChoices(choice)).filter(([name, value]) => (stored.get(name) ?? null) !== (value ?? null)),
  )
}

/** Nobody can tell whether what holds there was chosen later than what was chosen here. */
function otherHere(chosen: Choices, { workflowId, holds = {} }: GivenChoice): { name: string; words: string }[] {
  const here = new Map<string, unknown>(Object.entries(chosen))
  return Object.entries(toChoices(holds)).flatMap(([name, value]) => {
    const own = here.get(name)
    if (typeof own !== 'boolean' || typeof value !== 'boolean' || own === value) return []
    const [there, ours] = value ? ['on', 'off'] : ['off', 'on']
    const where = workflowId === undefined ? '' : ` in the workflow ${workflowId}`
    return [{ name, words: `is ${there} there and ${ours} here${where}: what was chosen here stays` }]
  })
}

/** A schedule that is not given stays as it is. */
export async function planSchedules({ db, env }: Scope, people: readonly Person[]): Promise<NewSchedule[]> {
  const ids = people.flatMap(({ row, given }) => (row && given.schedule ? row.id : []))
  const stored = await loadSchedules(db, env, ids)
  return people.flatMap(({ row, given, changes }) => {
    const { schedule } = given
    if (!schedule || isSame(row && stored.get(row.id), schedule)) return []
    changes.add('schedule')
    const { isEnabled: enabled, weeklySchedule: weekly = null } = schedule
    return row ? [{ subscriberId: row.id, enabled, weekly }] : []
  })
}

function isSame(before: Schedule | null | undefined, { isEnabled, weeklySchedule: hours }: Schedule): boolean {
  if (!before || before.isEnabled !== isEnabled) return false
  return hours === undefined || canonicalJson(before.weeklySchedule ?? {}) === canonicalJson(hours)
}
