import { canonicalJson } from '../../lib/canonical-json.ts'
import type { NewSchedule } from '../../store/import/people.ts'
import { listPreferencesOf, type PreferenceChange, type PreferenceRow } from '../../store/preferences.ts'
import { findWorkflowsByIdentifier, listWorkflowsById } from '../../store/workflows.ts'
import { type Choices, isReadOnly, toStoredChoices } from '../subscribers/preferences.ts'
import { loadSchedules, type Schedule } from '../subscribers/schedule.ts'
import { getWorkflows, type Workflow } from '../workflows/workflow.ts'
import type { GivenChoice, Person, Scope } from './import-scope.ts'

/**
 * What is to be written so that these people have chosen as given; what they chose besides stays. Notes what each of them
 * has chosen then.
 */
export async function planChoices(scope: Scope, people: readonly Person[]): Promise<PreferenceChange[]> {
  const wanted = people.filter(({ given }) => given.saysChoices)
  if (wanted.length === 0) return []
  const rows = await listPreferencesOf(
    scope.db,
    scope.env,
    wanted.flatMap(({ row }) => row?.id ?? []),
  )
  const workflows = await loadWorkflows(scope, wanted, rows)
  const stored = Map.groupBy(rows, (row) => row.subscriber_id)
  return wanted.flatMap((person) => {
    const own = stored.get(person.row?.id ?? '') ?? []
    const before = new Map<string | null, Choices>(own.map((row) => [row.workflow_id, toStoredChoices(row)]))
    const changes = new Map<string | null, Choices>()
    for (const { at, choice } of person.given.choices) {
      const workflow = choice.workflowId === undefined ? null : workflows.named(choice.workflowId)
      const why = refusalOf(choice, workflow)
      if (why !== null) {
        // Nobody chose anything that is lost.
        if (Object.keys(toChoices(choice)).length > 0) person.left.push({ field: `preferences.${at}`, why })
        continue
      }
      const id = workflow?.id ?? null
      const changed = changedChoices({ ...before.get(id), ...changes.get(id) }, choice)
      if (Object.keys(changed).length === 0) continue
      changes.set(id, { ...changes.get(id), ...changed })
      for (const name of Object.keys(changed)) {
        person.changes.add(['preferences', choice.workflowId ?? '*', name].join('.'))
      }
    }
    for (const id of new Set([...before.keys(), ...changes.keys()])) {
      const workflow = id === null ? null : workflows.withId(id)
      if (workflow === undefined || (workflow && isReadOnly(workflow))) continue
      person.chosen.push(toChosen({ ...before.get(id), ...changes.get(id) }, workflow))
    }
    const { row } = person
    if (!row) return []
    return [...changes].map(([workflowId, choices]) => ({ subscriberId: row.id, workflowId, choices }))
  })
}

type Workflows = { named(workflowId: string): Workflow | undefined; withId(id: string): Workflow | undefined }

/** Those that these people choose for, there or here. */
async function loadWorkflows(
  { db, env }: Scope,
  people: readonly Person[],
  chosen: readonly PreferenceRow[],
): Promise<Workflows> {
  const names = people.flatMap(({ given }) => given.choices.flatMap(({ choice }) => choice.workflowId ?? []))
  const ids = chosen.flatMap((row) => row.workflow_id ?? [])
  const rows = [
    ...(await findWorkflowsByIdentifier(db, env, [...new Set(names)])),
    ...(await listWorkflowsById(db, env, [...new Set(ids)])).filter((row) => row.deleted_at === null),
  ]
  const versions = await getWorkflows(db, env, rows)
  const found = rows.flatMap((row) => versions.of(row) ?? [])
  const byName = new Map(found.map((it) => [it.identifier, it]))
  const byId = new Map(found.map((it) => [it.id, it]))
  return { named: (workflowId) => byName.get(workflowId), withId: (id) => byId.get(id) }
}

function refusalOf({ workflowId }: GivenChoice, workflow: Workflow | null | undefined): string | null {
  if (workflow === undefined) return `there is no workflow ${workflowId} here`
  if (workflow && isReadOnly(workflow)) return `the workflow ${workflowId} leaves its subscribers no choice here`
  return null
}

function toChoices({ enabled, channels }: GivenChoice): Choices {
  return { ...channels, ...(enabled !== undefined && { all: enabled }) }
}

/** Null and none are the same. */
function changedChoices(before: Choices, choice: GivenChoice): Choices {
  const stored = new Map<string, unknown>(Object.entries(before))
  return Object.fromEntries(
    Object.entries(toChoices(choice)).filter(([name, value]) => (stored.get(name) ?? null) !== (value ?? null)),
  )
}

function toChosen({ all, ...channels }: Choices, workflow: Workflow | null): Person['chosen'][number] {
  const own = Object.entries(channels).filter((it): it is [string, boolean] => typeof it[1] === 'boolean')
  return {
    ...(workflow && { workflowId: workflow.identifier }),
    ...(typeof all === 'boolean' && { enabled: all }),
    channels: Object.fromEntries(own),
  }
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
