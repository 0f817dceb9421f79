import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Pool } from 'undici'
import { newApiKey } from '../src/lib/api-key.ts'

/**
 * What the gateway adds: the same requests straight to a cell and through the gateway, in turns. Without `--direct` and
 * `--through` the cell is a server that does nothing, so that all of the difference is the gateway's.
 */
const { values } = parseArgs({
  options: {
    'as-cell': { type: 'boolean' },
    direct: { type: 'string' },
    through: { type: 'string' },
    key: { type: 'string' },
    path: { type: 'string', default: '/v1/environment' },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
  },
})

if (values['as-cell']) beCell()
else await measure()

function beCell(): void {
  const body = JSON.stringify({ data: 'x'.repeat(400) })
  const headers = { 'content-type': 'application/json', 'content-length': String(body.length) }
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(200, headers).end(body))
  })
  server.listen(0, '127.0.0.1', () => console.log(JSON.stringify(server.address())))
}

async function measure(): Promise<void> {
  const children: ChildProcess[] = []
  const dataDir = mkdtempSync(join(tmpdir(), 'tidings-measure-'))
  try {
    const direct = values.direct ?? (await startCell(children))
    const through = values.through ?? (await startGateway(children, direct, dataDir))
    const key = values.key ?? newApiKey('ca', new Date()).text
    console.log('| requests at a time | | requests/s | p50 ms | p99 ms |\n|---|---|---|---|---|')
    const before = await processorSeconds(through)
    let count = 0
    for (const atOnce of [1, 16, 64]) count += await compare({ direct, through, key, atOnce })
    const spent = (await processorSeconds(through)) - before
    console.log(`The gateway used ${((spent * 1000) / count).toFixed(3)} ms of a core for each request.`)
  } finally {
    for (const child of children) child.kill()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

type Case = { direct: string; through: string; key: string; atOnce: number }

/** Returns how many went through the gateway. */
async function compare({ direct, through, key, atOnce }: Case): Promise<number> {
  const times = { direct: [] as number[], gateway: [] as number[] }
  const spent = { direct: 0, gateway: 0 }
  await load(direct, key, atOnce, 1)
  const warmUp = await load(through, key, atOnce, 1)
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [name, url] of [['direct', direct] as const, ['gateway', through] as const]) {
      const began = performance.now()
      times[name].push(...(await load(url, key, atOnce, Number(values.seconds))))
      spent[name] += performance.now() - began
    }
  }
  for (const name of ['direct', 'gateway'] as const) {
    const sorted = times[name].sort((a, b) => a - b)
    const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(2)
    const rate = Math.round((sorted.length * 1000) / spent[name])
    console.log(`| ${atOnce} | ${name} | ${rate} | ${at(0.5)} | ${at(0.99)} |`)
  }
  return warmUp.length + times.gateway.length
}

async function processorSeconds(url: string): Promise<number> {
  const text = await fetch(`${url}/metrics`).then((reply) => reply.text())
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1])
}

/** How long each took, in ms. */
async function load(url: string, key: string, atOnce: number, seconds: number): Promise<number[]> {
  const pool = new Pool(url, { connections: atOnce, pipelining: 1 })
  const end = performance.now() + seconds * 1000
  const times: number[] = []
  const ask = async () => {
    while (performance.now() < end) {
      const began = performance.now()
      const headers = { authorization: `ApiKey ${key}` }
      const { statusCode, body } = await pool.request({ method: 'GET', path: values.path, headers })
      await body.dump()
      if (statusCode !== 200) throw new Error(`answered ${statusCode}`)
      times.push(performance.now() - began)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, ask))
  await pool.close()
  return times
}

async function startCell(children: ChildProcess[]): Promise<string> {
  const child = spawn(process.execPath, [import.meta.filename, '--as-cell'], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const [line] = await once(child.stdout, 'data')
  return `http://127.0.0.1:${JSON.parse(String(line)).port}`
}

async function startGateway(children: ChildProcess[], cell: string, dataDir: string): Promise<string> {
  const settings = { NODE_ENV: 'development', CELLS: `ca=${cell}`, LOG_LEVEL: 'warn' }
  const main = join(import.meta.dirname, '../src/main.ts')
  const child = spawn(process.execPath, [main, 'gateway'], {
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', DATA_DIR: dataDir, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  for await (const data of child.stdout) {
    const [, port] = /is ready at http:\/\/localhost:(\d+)/.exec(String(data)) ?? []
    if (port) return `http://127.0.0.1:${port}`
  }
  throw new Error('the gateway did not start')
}
