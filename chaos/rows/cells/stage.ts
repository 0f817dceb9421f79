import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { issueApiKey } from '../../../src/core/operations/bootstrap.ts'
import { apiKeyId } from '../../../src/lib/api-key.ts'
import { insertEnvironment, insertOrganization } from '../../../src/store/access/environments.ts'
import { openDatabase } from '../../../src/store/database.ts'
import { whenOver } from '../../lib/clean-up.ts'
import type { Tenant } from '../../lib/http.ts'
import { allowing } from '../../lib/outside-stage.ts'
import { times } from '../../lib/parallel.ts'
import type { ApiNode, Running, Settings } from '../../lib/process.ts'
import type { World } from '../../lib/world.ts'
import { type Cluster, startCluster } from '../../simulators/cluster.ts'
import { type Ledger, openLedger } from '../../simulators/ledger.ts'
import { startHttpSimulator } from '../../simulators/provider-simulator.ts'
import { startSmtpSimulator } from '../../simulators/smtp-simulator.ts'

export const cellNames = ['ca', 'cb', 'cc'] as const
export type CellName = (typeof cellNames)[number]

export type Cell = {
  name: CellName
  cluster: Cluster
  /** Two processes: one is stopped or killed without the other. */
  api: ApiNode
  worker: ApiNode
  restartApi(): Promise<void>
}

/** What mutations change in the database of every cell. */
const brokenBy: Record<string, string> = {
  'loops touch what arrives': `create or replace function held_environments() returns uuid[] language sql volatile
    as $$ select coalesce(array_agg(e.id), '{}') from environment e
      where e.state not in ('active', 'arriving') and effective_state(e.state, e.frozen_until) <> 'active' $$`,
  'departs without its lease': `create or replace function depart_environment(environment uuid, to_cell text)
    returns boolean language sql as $$
      update environment e set state = 'departed', state_since = clock_timestamp(), frozen_until = null, cell = to_cell,
        generation = e.generation + 1 where e.id = environment returning true $$`,
}

export type Providers = { ledger: Ledger; keyedUrl: string; keylessPort: number }

export type CellStage = {
  world: World
  cells: ReadonlyMap<CellName, Cell>
  providers: Providers
  /** At the same address whenever it is started again. */
  gatewayUrl: string
  gateway(): ApiNode
  gatewayDir: string
  restartGateway(settings?: Settings): Promise<void>
  /** The mover, as a process of its own. */
  move(...args: string[]): Running
  tenant(cell: CellName): Promise<Tenant>
}

/** `more`: settings of every node. */
export async function openCellStage(world: World, more: Settings = {}): Promise<CellStage> {
  const ports = await freePorts(4)
  const [gatewayPort = 0, ...cellPorts] = ports
  const token = randomBytes(12).toString('hex')
  const providers = await startProviders(world)
  const common = {
    CELL_TOKEN: token,
    ...allowing([Number(new URL(providers.keyedUrl).port), providers.keylessPort]),
    ...more,
  }
  const clusters = await Promise.all(cellNames.map((name) => startCluster(`cell_${name}`)))
  const cells = new Map<CellName, Cell>()
  for (const [i, name] of cellNames.entries()) {
    const cluster = clusters[i] as Cluster
    if (world.misconfigured !== null) await cluster.sql(brokenBy[world.misconfigured] ?? '')
    const settings = { ...common, CELL: name, DATABASE_URL: cluster.url, PORT: String(cellPorts[i]) }
    const startApi = () => world.startNode(settings, 'api')
    const cell: Cell = {
      name,
      cluster,
      api: await startApi(),
      worker: await world.startNode({ ...settings, PORT: '0' }, 'worker'),
      async restartApi() {
        await cell.api.kill()
        cell.api = await startApi()
      },
    }
    cells.set(name, cell)
  }
  const databases = [...cells].map(([name, { cluster }]) => `${name}=${cluster.url}`).join(',')
  // The directory stands in the cell that moves touch least.
  const controlUrl = cells.get('cc')?.cluster.url ?? ''
  const gatewayDir = mkdtempSync(join(tmpdir(), 'tidings-gateway-'))
  whenOver(() => rmSync(gatewayDir, { recursive: true, force: true }))
  const startGateway = (settings: Settings = {}) =>
    world.startNode(
      {
        CELLS: cellNames.map((name, i) => `${name}=http://127.0.0.1:${cellPorts[i]}`).join(','),
        CELL_TOKEN: token,
        CONTROL_DATABASE_URL: controlUrl,
        DATA_DIR: gatewayDir,
        PORT: String(gatewayPort),
        ...settings,
      },
      'gateway',
    )
  let gateway = await startGateway()
  return {
    world,
    cells,
    providers,
    gatewayUrl: `http://127.0.0.1:${gatewayPort}`,
    gateway: () => gateway,
    gatewayDir,
    async restartGateway(settings) {
      await gateway.kill()
      gateway = await startGateway(settings)
    },
    move: (...args) =>
      world.begin(['environments', 'move', ...args], { CELL_DATABASES: databases, CONTROL_DATABASE_URL: controlUrl }),
    tenant: (cell) => makeTenant(cells.get(cell)?.cluster.url ?? '', cell),
  }
}

export async function closeCellStage({ world, cells }: CellStage): Promise<void> {
  for (const node of world.nodes) await node.kill()
  for (const { cluster } of cells.values()) await cluster.stop()
}

/** One takes what it knows by its key once, and refuses some at first; the other is a mail server. Both take their time. */
async function startProviders({ random }: World): Promise<Providers> {
  const ledger = openLedger()
  const http = await startHttpSimulator(ledger)
  const keyed = http.add({
    name: 'keyed',
    dedupes: true,
    script: ({ before, index }) =>
      before === 0 && index % 4 === 0
        ? { kind: 'refuse', status: 503 }
        : { kind: 'ok', delayMs: random.integer(20, 200) },
  })
  const mail = await startSmtpSimulator(ledger, 'keyless', () => ({ kind: 'ok', delayMs: random.integer(50, 600) }))
  return { ledger, keyedUrl: http.url(keyed), keylessPort: mail.port }
}

async function makeTenant(url: string, cell: CellName): Promise<Tenant> {
  const database = openDatabase({ url, poolSize: 1, rowLevelSecurity: false, onError() {} })
  try {
    const now = new Date()
    const organizationId = await insertOrganization(database.db, 'chaos', now)
    const environmentId = await insertEnvironment(database.db, organizationId, 'chaos', now)
    const key = await issueApiKey(database.db, { environmentId, name: 'chaos', cell, now })
    return { key, keyId: apiKeyId(key) ?? '', environmentId, organizationId, reach: 'environment' }
  } finally {
    await database.close()
  }
}

/** Free a moment ago, all at the same time. */
async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    times(count, async () => {
      const server = createServer()
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      return server
    }),
  )
  return Promise.all(
    servers.map(async (server) => {
      const { port } = server.address() as AddressInfo
      await new Promise((resolve) => server.close(resolve))
      return port
    }),
  )
}
