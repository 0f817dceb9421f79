import type { Sealer } from '../../lib/seal.ts'
import { secretPlaces } from '../../lib/secret-places.ts'
import { listEncryptionKeys } from '../../store/access/encryption-keys.ts'
import { stateOf } from '../../store/access/environment-states.ts'
import { readMigrations } from '../../store/migrate.ts'
import {
  type CellFacts,
  findKnownEnvironment,
  listIntegrationIds,
  listKeyIds,
  listTaken,
  readCellFacts,
  readSchemaVersion,
} from '../../store/moves/cell-facts.ts'
import { readQueues } from '../../store/moves/open-tasks.ts'
import { findSubscription, readSlot } from '../../store/moves/replication.ts'
import type { Cell } from './cells.ts'

export type Checked = { faults: string[]; hints: string[]; facts: { source: CellFacts; target: CellFacts } }

// Two workers copy tables at a time, and one follows.
const workersNeeded = 3

/** Everything that would stop a move half-way. All faults at once: each costs whoever mends it a round otherwise. */
export async function checkMove(source: Cell, target: Cell, environmentId: string, sealer: Sealer): Promise<Checked> {
  const [here, there] = [source.database.db, target.database.db]
  const [from, to] = await Promise.all([readCellFacts(here), readCellFacts(there)])
  const isRunning = (await readSlot(here, environmentId)) !== null
  const faults: string[] = []
  const hints: string[] = []
  if (source.name === target.name) faults.push(`it lives in "${target.name}" already`)
  checkServers(from, to, { source, target, isRunning }, faults)
  if (from.slotKeepLimit === '-1')
    hints.push(
      `${source.name}: max_slot_wal_keep_size is not set. Set it to what its disk has to spare: then a move that nobody finishes cannot fill it`,
    )
  await checkSchemas(source, target, faults)
  faults.push(...(await findKeyFaults(source, target, sealer)))
  await checkNames(source, target, environmentId, faults, hints)
  if ((await findSubscription(here, environmentId)) !== null)
    faults.push(`${source.name} still has a subscription of an earlier move: finish that one, or give it up`)
  return { faults, hints, facts: { source: from, target: to } }
}

function checkServers(
  from: CellFacts,
  to: CellFacts,
  { source, target, isRunning }: { source: Cell; target: Cell; isRunning: boolean },
  faults: string[],
): void {
  for (const [cell, { version, isReadOnly, ownsTables, role, encoding }] of [
    [source, from],
    [target, to],
  ] as const) {
    if (version < 15) faults.push(`${cell.name}: PostgreSQL ${version}; publications of single rows need 15`)
    if (isReadOnly) faults.push(`${cell.name}: the database only reads (a standby?)`)
    if (!ownsTables) faults.push(`${cell.name}: the role "${role}" does not own the tables; take the one that migrates`)
    if (encoding !== 'UTF8') faults.push(`${cell.name}: the database is not in UTF8`)
  }
  if (from.system === to.system && from.database === to.database)
    faults.push(`${source.name} and ${target.name} are the same database`)
  if (from.walLevel !== 'logical')
    faults.push(`${source.name}: wal_level is ${from.walLevel}; it must be logical (set it and restart PostgreSQL)`)
  if (!from.mayReplicate)
    faults.push(`${source.name}: the role "${from.role}" may not replicate (alter role "${from.role}" replication)`)
  if (!from.mayPublish)
    faults.push(`${source.name}: the role "${from.role}" may not create publications (grant create on database)`)
  if (!to.maySubscribe)
    faults.push(
      `${target.name}: the role "${to.role}" may not create subscriptions (PostgreSQL 15: a superuser; from 16: grant pg_create_subscription, and create on the database)`,
    )
  if (isRunning) return
  // One that follows, two that copy.
  if (from.freeSlots < workersNeeded)
    faults.push(
      `${source.name}: ${from.freeSlots} free replication slots; ${workersNeeded} are needed (max_replication_slots)`,
    )
  if (from.freeSenders < workersNeeded)
    faults.push(`${source.name}: ${from.freeSenders} free WAL senders; ${workersNeeded} are needed (max_wal_senders)`)
  if (to.workers < workersNeeded)
    faults.push(
      `${target.name}: ${to.workers} free workers for replication; ${workersNeeded} are needed (max_logical_replication_workers, max_worker_processes)`,
    )
}

async function checkSchemas(source: Cell, target: Cell, faults: string[]): Promise<void> {
  const [here, there] = [source.database.db, target.database.db]
  const [from, to] = await Promise.all([readSchemaVersion(here), readSchemaVersion(there)])
  const own = new Map(readMigrations().map((it) => [it.version, it.hash]))
  for (const [name, cell] of [
    [source.name, from],
    [target.name, to],
  ] as const) {
    const other = [...new Set([...cell.keys(), ...own.keys()])].filter((it) => cell.get(it) !== own.get(it))
    if (other.length > 0)
      faults.push(
        `${name}: migrations ${other.join(', ')} are not those of this program; bring both cells to its version`,
      )
  }
  const [queues, theirs] = await Promise.all([readQueues(here), readQueues(there)])
  if (queues.version !== theirs.version || queues.names.some((name) => !theirs.names.includes(name)))
    faults.push(`${target.name}: its queues are not those of ${source.name}; start a worker there once`)
}

/** Secrets are copied as they are sealed, so the nodes of both cells and this process must be able to open them. */
export async function findKeyFaults(source: Cell, target: Cell, sealer: Sealer): Promise<string[]> {
  const faults = [...(await keyFaults(source, sealer)), ...(await keyFaults(target, sealer))]
  // Nodes of the target may lack a key that the target has never used, or has retired.
  const [known, theirs] = await Promise.all([
    listEncryptionKeys(source.database.db),
    listEncryptionKeys(target.database.db),
  ])
  const unknownThere = known.filter(
    (key) => !key.retired && !theirs.some((other) => other.id === key.id && !other.retired),
  )
  return [
    ...faults,
    ...unknownThere.map(
      ({ id }) =>
        `${target.name} does not use the encryption key "${id}", with which secrets of ${source.name} are sealed: run \`npm start -- secrets reseal\` in ${source.name} with the first key of ${target.name}`,
    ),
  ]
}

async function keyFaults({ name, database }: Cell, sealer: Sealer): Promise<string[]> {
  const keys = await listEncryptionKeys(database.db)
  return keys.flatMap(({ id, retired, checkValue }) => {
    if (retired && !sealer.keyIds.includes(id)) return []
    if (!sealer.keyIds.includes(id))
      return `${name}: secrets are sealed with the key "${id}", which ENCRYPTION_KEYS lacks`
    try {
      sealer.open(secretPlaces.keyCheck(id), checkValue)
      return []
    } catch {
      return `${name}: its key "${id}" is another one than that of ENCRYPTION_KEYS`
    }
  })
}

async function checkNames(
  source: Cell,
  target: Cell,
  environmentId: string,
  faults: string[],
  hints: string[],
): Promise<void> {
  const [here, there] = [source.database.db, target.database.db]
  const it = await findKnownEnvironment(here, environmentId)
  if (!it) {
    faults.push(`${source.name} has no environment ${environmentId}`)
    return
  }
  const ids = {
    keys: await listKeyIds(here, environmentId),
    integrations: await listIntegrationIds(here, environmentId),
  }
  for (const what of await listTaken(there, it, ids)) faults.push(`${target.name}: another environment has ${what}`)
  const state = await stateOf(there, environmentId)
  if (state && state.state !== 'arriving' && state.state !== 'departed')
    faults.push(
      `${target.name} has it as ${state.state}: it cannot live in two cells. Do not move it before you know why`,
    )
  if (it.bootstrapKeys > 0)
    hints.push(`it has a BOOTSTRAP_API_KEY: the nodes of ${target.name} know that key after their next start`)
}
