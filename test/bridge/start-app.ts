import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A port that nobody has now: the app keeps its own over a restart. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

export type BridgeApp = {
  url: string
  port: number
  start(secretKey: string): Promise<void>
  kill(): Promise<void>
  /** `subscriberId stepId` of every step that was really run, in order. */
  seen(): string[]
  /** What it wrote, for a test that fails. */
  said(): string
}

/** The published framework as a process of its own; it can be killed and started again at the same address. */
export async function prepareBridgeApp(settings: Record<string, string> = {}): Promise<BridgeApp> {
  const port = await freePort()
  const file = join(mkdtempSync(join(tmpdir(), 'tidings-bridge-')), 'seen')
  writeFileSync(file, '')
  let [child, text]: [ChildProcess | null, string] = [null, '']
  return {
    url: `http://127.0.0.1:${port}/api/novu`,
    port,
    async start(secretKey) {
      const env = { PATH: process.env.PATH, NODE_ENV: 'production', NOVU_SECRET_KEY: secretKey, PORT: String(port) }
      const own = spawn(process.execPath, [join(import.meta.dirname, 'app.js')], {
        env: { ...env, SEEN: file, ...settings },
      })
      child = own
      await new Promise<void>((resolve, reject) => {
        for (const stream of [own.stdout, own.stderr]) {
          stream.setEncoding('utf8').on('data', (data: string) => {
            text += data
            if (text.includes('listening at')) resolve()
          })
        }
        own.on('exit', () => reject(new Error(`the bridge did not start: ${text}`)))
      })
    },
    async kill() {
      const own = child
      child = null
      text = ''
      if (!own || own.exitCode !== null) return
      own.removeAllListeners('exit')
      const gone = once(own, 'close')
      own.kill('SIGKILL')
      await gone
    },
    seen: () => readFileSync(file, 'utf8').split('\n').filter(Boolean),
    said: () => text,
  }
}
