import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { buildContext, closeContext } from '../../src/build-context.ts'
import type { Ctx } from '../../src/context.ts'
import { type Cells, openCells } from '../../src/core/moves/cells.ts'
import { moveEnvironment } from '../../src/core/moves/move-environment.ts'
import type { Progress, StepName } from '../../src/core/moves/progress.ts'
import { issueApiKey } from '../../src/core/operations/bootstrap.ts'
import { checkEncryptionKeys } from '../../src/core/operations/check-encryption-keys.ts'
import { loadTasks } from '../../src/engine/load-tasks.ts'
import { workTasks } from '../../src/engine/work-tasks.ts'
import { startWorker } from '../../src/engine/worker.ts'
import { authenticator } from '../../src/http/access/auth.ts'
import { loadRoutes } from '../../src/http/load-routes.ts'
import { createServer } from '../../src/http/server.ts'
import { createSealer } from '../../src/lib/seal.ts'
import { stateOf } from '../../src/store/access/environment-states.ts'
import { insertEnvironment, insertOrganization } from '../../src/store/access/environments.ts'
import { readAlike, sumRange } from '../../src/store/moves/compare-rows.ts'
import { listMovedTables } from '../../src/store/moves/moved-tables.ts'
import { listLeftBehind } from '../../src/store/moves/replication.ts'
import { admin, makeTemplate, withDatabase } from '../find-postgres.ts'
import { silentLog, testConfig } from '../harness.ts'
import { startPrivateServer } from '../postgres/private-server.ts'

export type CellName = 'ca' | 'cb'
export const otherCell = (cell: CellName): CellName => (cell === 'ca' ? 'cb' : 'ca')

export type TwoCells = {
  cells: Cells
  databases: Map<string, string>
  /** Makes an environment in a cell. */
  environment(cell: CellName): Promise<{ environmentId: string; key: string }>
  /** A node of a cell, with all tasks and loops. */
  startNode(cell: CellName, settings?: Record<string, string>): Promise<CellNode>
  move(environmentId: string, to: CellName, progress?: Progress): ReturnType<typeof moveEnvironment>
  /** A mover of its own process that kills itself when it comes to a step. Returns what became of it. */
  moverProcess(environmentId: string, to: CellName, dieAt?: StepName): Promise<{ signal: string | null; said: string }>
  /** The cells in which it is, by their states. */
  statesOf(environmentId: string): Promise<Record<CellName, string | null>>
  /** Rows and hashes of each table. */
  sumsOf(cell: CellName, environmentId: string): Promise<Record<string, string>>
  leftBehind(): Promise<string[]>
}
export type CellNode = { url: string; ctx: Ctx; stop(): Promise<void> }

/** Two PostgreSQL clusters with logical replication, each with the tables of a cell. Call once per test file. */
export function useTwoCells(): TwoCells {
  const it = {} as TwoCells
  const cleanUps: (() => Promise<unknown>)[] = []
  beforeAll(async () => {
    const databases = new Map<string, string>()
    await Promise.all(
      (['ca', 'cb'] as const).map(async (name) => {
        const server = await startPrivateServer(['wal_level = logical', 'fsync = off'])
        cleanUps.unshift(server.stop)
        await admin(server.url, (client) => client.query("create role guarded login password 'x'"))
        await makeTemplate(server.url, `cell_${name}`, 'guarded')
        databases.set(name, withDatabase(server.url, `cell_${name}`))
      }),
    )
    const cells = openCells(databases, undefined)
    cleanUps.unshift(() => cells.close())
    const sealer = createSealer(testConfig().encryptionKeys)
    for (const { database } of cells.all) await checkEncryptionKeys(database.db, sealer)
    Object.assign(it, twoCells(cells, databases, cleanUps))
  }, 180_000)
  afterAll(async () => {
    for (const cleanUp of cleanUps) await cleanUp()
  }, 120_000)
  return it
}

export const quiet: Progress = { async step() {}, part() {} }
export const steps = (on: (name: StepName) => Promise<void> | void): Progress => ({
  step: async (name) => on(name),
  part() {},
})

function twoCells(cells: Cells, databases: Map<string, string>, cleanUps: (() => Promise<unknown>)[]): TwoCells {
  const dbOf = (cell: CellName) => cells.get(cell).database.db
  const sealer = createSealer(testConfig().encryptionKeys)
  return {
    cells,
    databases,
    async environment(cell) {
      const now = new Date()
      const organizationId = await insertOrganization(dbOf(cell), 'test', now)
      const environmentId = await insertEnvironment(dbOf(cell), organizationId, 'test', now)
      return { environmentId, key: await issueApiKey(dbOf(cell), { environmentId, name: 'test', cell, now, sealer }) }
    },
    async startNode(cell, settings = {}) {
      const node = await startNode(cell, databases.get(cell) ?? '', settings)
      cleanUps.unshift(node.stop)
      return node
    },
    move: (environmentId, to, progress = quiet) => moveEnvironment(cells, { environmentId, to }, sealer, progress),
    moverProcess: (environmentId, to, dieAt) => moverProcess(databases, [environmentId, to, dieAt ?? '']),
    async statesOf(environmentId) {
      const [ca, cb] = await Promise.all((['ca', 'cb'] as const).map((cell) => stateOf(dbOf(cell), environmentId)))
      return { ca: ca?.state ?? null, cb: cb?.state ?? null }
    },
    async sumsOf(cell, environmentId) {
      return dbOf(cell)
        .connection()
        .execute(async (db) => {
          await readAlike(db)
          const sums: Record<string, string> = {}
          const tables = [
            ...(await listMovedTables(db)),
            { name: 'api_key', key: [] },
            { name: 'integration', key: [] },
          ]
          for (const table of tables) {
            const { rows, hash } = await sumRange(db, environmentId, table, { after: null, upTo: null })
            // Made anew by each switch.
            if (table.name !== 'move_marker' && rows > 0) sums[table.name] = `${rows} ${hash}`
          }
          return sums
        })
    },
    async leftBehind() {
      const found = await Promise.all(cells.all.map((cell) => listLeftBehind(cell.database.db)))
      return found.flat().map(({ kind, name }) => `${kind} ${name}`)
    },
  }
}

async function startNode(cell: CellName, url: string, settings: Record<string, string>): Promise<CellNode> {
  const config = testConfig({ CELL: cell, ROW_LEVEL_SECURITY: 'false', ...settings })
  const ctx = await buildContext(config, url, { log: silentLog(), worker: true, engineUrl: url })
  const server = createServer(ctx, await loadRoutes(), authenticator(ctx, []))
  const { tasks, loops } = await loadTasks()
  await workTasks(ctx, tasks)
  const worker = startWorker(ctx, loops)
  let stopped: Promise<void> | undefined
  const stop = async () => {
    await server.close()
    await worker.stop()
    await closeContext(ctx)
  }
  return {
    url: await server.listen({ host: '127.0.0.1', port: 0 }),
    ctx,
    stop() {
      stopped ??= stop()
      return stopped
    },
  }
}

function moverProcess(
  databases: ReadonlyMap<string, string>,
  args: string[],
): Promise<{ signal: string | null; said: string }> {
  const env = {
    PATH: process.env.PATH,
    CELL_DATABASES: [...databases].map(([name, url]) => `${name}=${url}`).join(','),
    ENCRYPTION_KEYS: `t1:${Buffer.alloc(32, 1).toString('base64')}`,
  }
  const child = spawn(process.execPath, [join(import.meta.dirname, 'mover-process.ts'), ...args], { env })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (data) => (said += data))
  return new Promise((resolve) => child.on('close', (_code, signal) => resolve({ signal, said })))
}
