import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach } from 'vitest'
import { type GatewayConfig, readGatewayConfig } from '../../src/gateway/gateway-config.ts'
import { type Gateway, startGateway } from '../../src/gateway/start-gateway.ts'
import { newApiKey } from '../../src/lib/api-key.ts'
import { sha256 } from '../../src/lib/seal.ts'
import { uuid7 } from '../../src/lib/uuid7.ts'
import { type CellEnvironment, startCell, type TestCell } from './cell.ts'

export const cellToken = 'a-token-of-the-cells'

type Settings = Record<string, string>

/** Cells and gateways of one test; all end with it. */
export function useCells() {
  const ends: (() => Promise<unknown>)[] = []
  const folders: string[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
  })
  const folder = () => {
    const made = mkdtempSync(join(tmpdir(), 'tidings-gateway-'))
    folders.push(made)
    return made
  }

  async function cell(name: string): Promise<TestCell> {
    const started = await startCell(name, cellToken)
    ends.push(() => started.close())
    return started
  }

  async function gateway(
    cells: Record<string, string>,
    settings: Settings = {},
    limits: Partial<GatewayConfig['limits']> = {},
  ): Promise<Gateway & { dataDir: string }> {
    const config = readGatewayConfig({
      NODE_ENV: 'development',
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: folder(),
      CELL_TOKEN: cellToken,
      CELLS: Object.entries(cells)
        .map(([name, url]) => `${name}=${url}`)
        .join(','),
      ...settings,
    })
    const started = await startGateway(
      { ...config, limits: { ...config.limits, ...limits } },
      pino({ level: 'silent' }),
    )
    let isStopped = false
    const stop = async () => {
      if (!isStopped) await started.stop()
      isStopped = true
    }
    ends.push(stop)
    return { url: started.url.replace('localhost', '127.0.0.1'), stop, dataDir: config.dataDir }
  }

  /** Two cells and a gateway in front of them. */
  async function pair(settings: Settings = {}, limits: Partial<GatewayConfig['limits']> = {}) {
    const [ca, cb] = [await cell('ca'), await cell('cb')]
    return { ca, cb, gateway: await gateway({ ca: ca.url, cb: cb.url }, settings, limits) }
  }

  return { cell, gateway, pair, folder, freeze }
}

/** It takes connections and never answers, as a process that is stopped. */
function freeze(cell: TestCell): { thaw(): void } {
  cell.state.isFrozen = true
  return {
    thaw() {
      cell.state.isFrozen = false
      for (const socket of cell.connections) socket.destroy()
    },
  }
}

/** An environment in a cell, with a key that names it. */
export function addEnvironment(cell: TestCell, more: Partial<CellEnvironment> = {}) {
  const key = newApiKey(cell.name, new Date())
  const environment: CellEnvironment = { id: uuid7(new Date()), state: 'active', generation: 1, names: [], ...more }
  environment.names.push(key.text, key.id)
  cell.environments.push(environment)
  return { environment, key: key.text, authorization: { authorization: `ApiKey ${key.text}` } }
}

/** A key without a cell, as an operator thinks it up. */
export function addPlainKey(environment: CellEnvironment, key: string) {
  environment.names.push(key, sha256(key).toString('hex'))
  return { authorization: `ApiKey ${key}` }
}

/** Moves it as a mover does, in one step. */
export function move(environment: CellEnvironment, from: TestCell, to: TestCell): CellEnvironment {
  const generation = environment.generation + 1
  Object.assign(environment, { state: 'departed', cell: to.name, generation })
  const arrived: CellEnvironment = { ...environment, state: 'active', names: [...environment.names] }
  delete arrived.cell
  to.environments.push(arrived)
  if (!from.environments.includes(environment)) throw new Error('it lives there')
  return arrived
}
