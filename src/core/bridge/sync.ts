import { type Static, Type } from 'typebox'
import type { Ctx } from '../../context.ts'
import { ApiError, invalidField } from '../../errors.ts'
import { chunks, chunksByWeight, createPauses } from '../../lib/chunks.ts'
import { cutText } from '../../lib/one-line.ts'
import { nullable } from '../../lib/schemas.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import { findBridge, listBridgeWorkflows, lockBridge, saveBridge } from '../../store/bridge/bridges.ts'
import type { Db, Env } from '../../store/database.ts'
import { deleteWorkflows, insertWorkflows, updateWorkflows } from '../../store/publishing/write-workflows.ts'
import { tellOfWorkflows } from '../../store/webhooks/tell.ts'
import { insertVersions, type NewVersion } from '../../store/workflows.ts'
import { refuseProtected } from '../access/protected.ts'
import { lock } from '../publishing/publish.ts'
import { noteChange } from '../record/note-change.ts'
import { dropTranslations } from '../translations/save-translations.ts'
import { findSchemaFaults } from '../workflows/judge-payloads.ts'
import { type CurrentWorkflow, definitionOf, isSameDefinition, toCurrent } from '../workflows/save-workflow.ts'
import { getWorkflows, type WorkflowDefinition } from '../workflows/workflow.ts'
import { type Discovered, discover } from './discover.ts'
import { findSigningKey } from './signature.ts'
import { payloadSchemaOf, toExternalDefinition } from './to-definition.ts'

export const bridgeUrl = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'http or https; private addresses are refused. Mostly ends with /api/novu.',
})

const ids = Type.Array(Type.String())
export const syncedSchema = Type.Object(
  {
    bridgeUrl,
    created: ids,
    updated: ids,
    unchanged: ids,
    deleted: ids,
    keyId: nullable(Type.String({ description: 'The API key whose text signs what the bridge is asked.' })),
    warnings: Type.Array(Type.String()),
  },
  { title: 'BridgeSync', description: 'By workflowId.' },
)
export type Synced = Static<typeof syncedSchema>

/** What a bridge told, before any transaction. */
export type Told = { workflows: Discovered[]; schemaFaults: (string | null)[]; keyId: string }

/** Asks the bridge which workflows there are. Throws 400 with its words when it does not say. */
export async function askWhichThere(ctx: Ctx, env: Env, url: string): Promise<Told> {
  refuseUrl(ctx, url)
  const key = await ctx.database.read(env, (db) => findSigningKey(ctx, db, env, ownKey(env)))
  if (!key) throw new ApiError('bridge_unsigned')
  const found = await discover(ctx, { url, key })
  if ('why' in found)
    throw new ApiError('bridge_failed', { message: cutText(`The bridge at ${url}: ${found.why}`, 1000) })
  const schemaFaults = await findSchemaFaults({ ctx, env }, found.workflows.map(payloadSchemaOf))
  return { workflows: found.workflows, schemaFaults, keyId: key.id }
}

export function refuseUrl(ctx: Ctx, url: string): void {
  const refusal = ctx.guard.refuseUrl(url)
  if (refusal) throw invalidField('bridgeUrl', refusal, url)
}

/** The key that calls; none where a person does. */
function ownKey({ keyId, actor, cameFrom }: Env): string | null {
  return actor?.type === 'person' || cameFrom !== undefined || keyId === '' ? null : keyId
}

type Change = {
  identifier: string
  current: CurrentWorkflow | null
  definition: WorkflowDefinition | null
  isSame: boolean
}

type Scope = { db: Db; env: Env; now: Date }

/** What would be changed: new and changed ones, and those that the bridge tells of no more (`definition` null). */
export async function findChanges({ db, env, now }: Scope, told: Told): Promise<Change[]> {
  const rows = await listBridgeWorkflows(
    db,
    env,
    told.workflows.map(({ workflowId }) => workflowId),
  )
  const pause = createPauses()
  const all: CurrentWorkflow[] = []
  for (const some of chunks(rows, readTogether)) {
    const versions = await getWorkflows(db, env, some)
    all.push(...some.map((row) => toCurrent(row, versions)))
    await pause()
  }
  const known = new Map(all.map((current) => [current.workflow.identifier, current]))
  const changes: Change[] = []
  for (const [index, found] of told.workflows.entries()) {
    await pause()
    const current = known.get(found.workflowId) ?? null
    if (current && current.workflow.origin !== 'external') {
      throw new ApiError('workflow_not_external', {
        message: `The workflow ${found.workflowId} is made here, not by the code of a bridge; delete it or rename one of them.`,
      })
    }
    const schema = told.schemaFaults[index] === null ? payloadSchemaOf(found) : null
    const definition = toExternalDefinition(found, current?.workflow ?? null, schema, now)
    const isSame = current !== null && isSameDefinition(definitionOf(current.workflow), definition)
    changes.push({ identifier: found.workflowId, current, definition, isSame })
  }
  const there = new Set(told.workflows.map(({ workflowId }) => workflowId))
  const gone = all.filter(({ workflow }) => workflow.origin === 'external' && !there.has(workflow.identifier))
  return [
    ...changes,
    ...gone.map((current) => ({ identifier: current.workflow.identifier, current, definition: null, isSame: false })),
  ]
}

/** In one transaction: what the bridge told of is what there is, and it is asked from now on. */
export async function syncBridge(scope: Scope, url: string, told: Told): Promise<Synced> {
  const { db, env, now } = scope
  await lockBridge(db, env)
  await lock(scope)
  const changes = await findChanges(scope, told)
  const open = changes.filter(({ isSame }) => !isSame)
  // A protected one only learns where its bridge is.
  if (open.length > 0) await refuseProtected(db, env)
  await writeChanges(scope, open)
  const before = await findBridge(db, env)
  await saveBridge(db, env, { url, keyId: told.keyId, now })
  const shown = (of: string) => new URL(of).origin
  noteChange(
    db,
    { type: 'bridge', id: env.environmentId, name: shown(url) },
    {
      before: before ? { url: shown(before.url), keyId: before.key_id } : undefined,
      after: { url: shown(url), keyId: told.keyId },
    },
  )
  return toSynced(url, told, changes)
}

export function toSynced(url: string, told: Told, changes: readonly Change[]): Synced {
  const named = (wanted: (change: Change) => boolean) => changes.filter(wanted).map(({ identifier }) => identifier)
  return {
    bridgeUrl: url,
    created: named((it) => it.definition !== null && it.current === null),
    updated: named((it) => it.definition !== null && it.current !== null && !it.isSame),
    unchanged: named(({ isSame }) => isSame),
    deleted: named((it) => it.definition === null),
    keyId: told.keyId,
    warnings: told.workflows.flatMap(({ workflowId }, index) => {
      const fault = told.schemaFaults[index]
      return fault
        ? [`${workflowId}: payloads are judged by the bridge alone, because its payload schema ${fault}`]
        : []
    }),
  }
}

// A statement with more text than this would hold up others while it is made.
const mostChars = 1024 * 1024
// They may be of 20 KB each.
const readTogether = 25

async function writeChanges({ db, env, now }: Scope, changes: readonly Change[]): Promise<void> {
  const given = changes.map((it) => ({ ...it, id: it.current?.workflow.id ?? uuid7(now) }))
  const gone = given.filter(({ definition }) => definition === null)
  const made = given.filter(({ current }) => current === null)
  const pause = createPauses()
  const versions: NewVersion[] = []
  for (const { id, current, definition } of given) {
    await pause()
    const version = (current?.workflow.version ?? 0) + 1
    if (definition) versions.push({ id, version, definition: JSON.stringify(definition) })
  }
  const rowOf = ({ id, identifier, definition }: (typeof given)[number]) => {
    return { id, identifier, name: definition?.name ?? identifier, active: true }
  }
  if (made.length > 0) await insertWorkflows(db, env, made.map(rowOf), now)
  const changed = given.filter(({ current, definition }) => current && definition)
  const updates = changed.map((it) => ({
    ...rowOf(it),
    version: (it.current?.workflow.version ?? 0) + 1,
    active: null,
  }))
  if (updates.length > 0) await updateWorkflows(db, env, updates, now)
  for (const part of chunksByWeight(versions, mostChars, (it) => it.definition.length)) {
    await insertVersions(db, env, part, now)
  }
  if (gone.length > 0) {
    await deleteWorkflows(
      db,
      env,
      gone.map(({ id }) => id),
      now,
    )
    for (const { id, identifier } of gone) await dropTranslations(db, env, { type: 'workflow', id, identifier }, now)
  }
  const events = given.map(({ id, current, definition }) => {
    const type = !definition ? 'workflow.deleted' : current ? 'workflow.updated' : 'workflow.created'
    return { id, type } as const
  })
  for (const page of chunks(events, 500)) await tellOfWorkflows(db, env, page, now)
  for (const { id, identifier, current, definition } of given) {
    await pause()
    noteChange(
      db,
      { type: 'workflow', id, name: identifier },
      {
        before: current ? definitionOf(current.workflow) : undefined,
        after: definition ?? undefined,
      },
    )
  }
}
