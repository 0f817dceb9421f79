import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { issueApiKey } from '../../src/core/operations/bootstrap.ts'
import { apiKeyId } from '../../src/lib/api-key.ts'
import type { Reach } from '../../src/store/access/api-keys.ts'
import { insertEnvironment, insertOrganization } from '../../src/store/access/environments.ts'
import { openDatabase } from '../../src/store/database.ts'
import { withRole } from '../../test/find-postgres.ts'
import type { Edit } from '../mutate.ts'
import { isOver, whenOver } from './clean-up.ts'
import type { Tenant } from './http.ts'
import type { PostgresServer } from './postgres.ts'
import {
  type ApiNode,
  beginCommand,
  type Finished,
  type Program,
  type Role,
  type Running,
  runCommand,
  type Settings,
  startNode,
} from './process.ts'
import { type Random, seededRandom } from './random.ts'

/** One database of its own and whatever processes a row starts on it. */
export type World = {
  random: Random
  /** A mutated run shows one thing, a quick one shows that all still stands: they need no thousand rounds. */
  small: boolean
  /** The program is broken on purpose. */
  mutated: boolean
  /** What a row is to set up wrongly, to show that it would be seen. */
  misconfigured: string | null
  adminUrl: string
  databaseUrl: string
  /** The same database, as a login that row-level security holds. */
  guardedUrl: string
  /** Past every wall: for arranging and for looking at rows. */
  sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  startNode(settings?: Settings, role?: Role, program?: Program): Promise<ApiNode>
  command(args: string[], settings?: Settings, withinMs?: number): Promise<Finished>
  /** What the commands printed that have ended. */
  commandOutputs: readonly string[]
  /** The same, not waited for. */
  begin(args: string[], settings?: Settings): Running
  /** A new environment with a key that opens only this one unless told; of its own organization unless one is given. */
  tenant(options?: { organizationId?: string | undefined; reach?: Reach }): Promise<Tenant>
  /** The same program on another server: for what must not hurt those who share this one. */
  elsewhere(server: PostgresServer): Promise<World>
  /** Every node started so far, here and elsewhere. */
  nodes: readonly ApiNode[]
  close(): Promise<void>
}

export type WorldOptions = {
  server: PostgresServer
  seed: number
  small: boolean
  edits: readonly Edit[]
  misconfigured?: string
  onStart?: (node: ApiNode) => void
}

export const newEncryptionKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`

/** For nodes of which vendors send people back. Nobody calls it. */
export const publicUrl = { PUBLIC_URL: 'https://tidings.example.com' }

// Small enough for two nodes and a test run beside us on a server of 100 connections.
const poolSize = '12'

export async function openWorld(options: WorldOptions): Promise<World> {
  const { server, seed, small, edits, onStart } = options
  if (isOver()) throw new Error('the run is over')
  const database = await server.createDatabase()
  const pool = new pg.Pool({ connectionString: database.url, max: 4, application_name: 'chaos' })
  pool.on('error', () => {})
  const endPool = whenOver(() => pool.end())
  const owner = openDatabase({ url: database.url, poolSize: 2, rowLevelSecurity: false, onError() {} })
  const endOwner = whenOver(() => owner.close())
  const dataDir = mkdtempSync(join(tmpdir(), 'tidings-chaos-'))
  const removeDir = whenOver(() => rmSync(dataDir, { recursive: true, force: true }))
  const defaults: Settings = {
    NODE_ENV: 'production',
    DATABASE_URL: database.url,
    DATABASE_POOL_SIZE: poolSize,
    DATA_DIR: dataDir,
    ENCRYPTION_KEYS: newEncryptionKey('k1'),
    LOG_LEVEL: 'warn',
    // The rows know by themselves when a node stops.
    STOP_DELAY_SECONDS: '0',
  }
  const nodes: ApiNode[] = []
  const commandOutputs: string[] = []

  return {
    random: seededRandom(seed),
    small,
    mutated: edits.length > 0,
    misconfigured: options.misconfigured ?? null,
    adminUrl: server.adminUrl,
    databaseUrl: database.url,
    guardedUrl: withRole(database.url, server.guarded.role, server.guarded.password),
    nodes,

    async sql<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) {
      return (await pool.query<Row>(text, values)).rows
    },

    async startNode(settings = {}, role = 'api', program) {
      const node = await startNode(role, { ...defaults, ...settings }, edits, program)
      nodes.push(node)
      onStart?.(node)
      return node
    },

    elsewhere: (other) => openWorld({ ...options, server: other, onStart: (node) => nodes.push(node) }),

    commandOutputs,
    async command(args, settings = {}, withinMs) {
      const finished = await runCommand(args, { ...defaults, ...settings }, edits, withinMs)
      commandOutputs.push(finished.output)
      return finished
    },

    begin: (args, settings = {}) => beginCommand(args, { ...defaults, ...settings }, edits),

    async tenant({ organizationId, reach = 'environment' } = {}) {
      const now = new Date()
      const organization = organizationId ?? (await insertOrganization(owner.db, 'chaos', now))
      const environmentId = await insertEnvironment(owner.db, organization, 'chaos', now)
      const key = await issueApiKey(owner.db, { environmentId, name: 'chaos', reach, cell: 'c1', now })
      return { key, keyId: apiKeyId(key) ?? '', environmentId, organizationId: organization, reach }
    },

    async close() {
      for (const node of nodes) await node.kill()
      await endPool()
      await endOwner()
      await database.drop()
      await removeDir()
    },
  }
}

/** For rows whose workers would take the work of the rows after them: whatever happens, none outlives its row. */
export function alone(run: (world: World) => Promise<string>): (world: World) => Promise<string> {
  return (world) =>
    run(world).finally(() =>
      Promise.all(world.nodes.filter((node) => node.ended() === null).map((node) => node.kill())),
    )
}
