import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { useHarness } from '../../test/harness.ts'

const h = useHarness()
const main = join(import.meta.dirname, '../main.ts')
const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/** Starts the program itself. Resolves when it says that it is ready. */
async function started(role: string, settings: Record<string, string>): Promise<{ url: string; said: () => string }> {
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: h.databaseUrl,
    DATABASE_POOL_SIZE: '4',
    ENCRYPTION_KEYS: `t1:${Buffer.alloc(32, 1).toString('base64')}`,
    HOST: '127.0.0.1',
    PORT: '0',
    METRICS_TOKEN: 'metrics-token',
    DASHBOARD: 'false',
    ...settings,
  }
  const child = spawn(process.execPath, [main, role], { env })
  children.push(child)
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (data) => (text += data))
  const port = () => /is ready at http:\/\/localhost:(\d+)/.exec(text)?.[1]
  await expect.poll(port, { timeout: 120_000 }).toBeDefined()
  return { url: `http://127.0.0.1:${port()}`, said: () => text }
}

test.each([
  ['api', { NODE_ENV: 'production', DASHBOARD: 'true' }],
  ['start', { NODE_ENV: 'development' }],
])(
  '%s: loading the program counts as no blocked event loop, and neither do the first requests',
  async (role, settings) => {
    const { url, said } = await started(role, settings)
    for (const path of ['/openapi.json', '/docs', '/health/ready']) expect((await fetch(url + path)).status).toBe(200)
    const metrics = await fetch(`${url}/metrics`, { headers: { authorization: 'Bearer metrics-token' } })
    const counted = /^tidings_event_loop_blocked_total (\d+)$/m.exec(await metrics.text())?.[1]
    const lines = said()
      .split('\n')
      .filter((line) => line.includes('the event loop was blocked'))
      .map((line): { cpuMs: number } => JSON.parse(line))
    // On a crowded machine the process may get no core for a second, which is not our fault. `cpuMs` shows it.
    expect(lines.filter(({ cpuMs }) => cpuMs > 500)).toEqual([])
    expect(Number(counted)).toBe(lines.length)
  },
)
