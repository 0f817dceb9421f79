import { execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { blocksOf } from '../test/docs/blocks.ts'
import type { Server } from './server.ts'

const root = join(import.meta.dirname, '..')

export type Shop = {
  url: string
  /** The README's own call, which sends Ada a notification. */
  sendAsPrinted(): string
  stop(): void
}

/** Installs and starts an example by the commands of its README. Only the addresses differ. */
export async function openShop(
  { url, key }: Pick<Server, 'url' | 'key'>,
  example: 'react-inbox' | 'own-react-inbox' = 'react-inbox',
): Promise<Shop> {
  const readme = readFileSync(join(root, 'examples', example, 'README.md'), 'utf8')
  const [start, send] = blocksOf(readme).filter(({ notRun }) => !notRun)
  if (!start || !send) throw new Error('the README of the example has lost its commands')
  const env = { ...process.env, TIDINGS_URL: url, TIDINGS_KEY: key, PORT: '0' }
  const asHere = (text: string) => text.replace('td_…', key).replaceAll('http://localhost:3000', url)
  const child = spawn('bash', ['-ec', asHere(start.text)], {
    cwd: root,
    env,
    // A group of its own: npm and a shell stand between us and the server.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const stop = () => {
    process.off('exit', stop)
    const isRunning = child.exitCode === null && child.signalCode === null
    if (child.pid !== undefined && isRunning) process.kill(-child.pid, 'SIGTERM')
  }
  process.on('exit', stop)
  const shopUrl = await new Promise<string>((resolve, reject) => {
    let output = ''
    const read = (chunk: Buffer) => {
      output += chunk
      const [, found] = /The shop is open: (\S+)/.exec(output) ?? []
      if (found) resolve(found)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', (code) => reject(new Error(`the example ended with ${code}:\n${output}`)))
  })
  const sendAsPrinted = () =>
    execFileSync('bash', ['-ec', asHere(send.text)], { cwd: root, env, encoding: 'utf8', stdio: 'pipe' })
  return { url: shopUrl, sendAsPrinted, stop }
}
