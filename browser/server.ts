import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { admin, findPostgres, withDatabase } from '../test/find-postgres.ts'

/** biome-ignore lint/suspicious/noExplicitAny: what a server said is whatever it said; assertions judge it */
export type Json = any

export type Server = {
  url: string
  /** The one-time link that was printed; empty without a dashboard. */
  link: string
  key: string
  databaseUrl: string
  /** A command beside it, as `npm start -- …`; what it said. */
  command(...words: string[]): Promise<string>
  /** Through the API, with the printed key; throws at anything but success. `environment`: another one than the key's. */
  api(method: string, path: string, body?: unknown, environment?: string): Promise<Json>
  stop(): Promise<void>
}

/** `npm start` as a newcomer runs it, in development, on an empty database and a free port. */
export async function startServer(settings: Record<string, string> = {}): Promise<Server> {
  const postgres = await findPostgres()
  const name = `tidings_te_browser_${process.pid}_${randomBytes(3).toString('hex')}`
  await admin(postgres.url, (client) => client.query(`create database ${name}`))
  const databaseUrl = withDatabase(postgres.url, name)
  const dataDir = mkdtempSync(join(tmpdir(), 'tidings-browser-'))
  const options = {
    cwd: join(import.meta.dirname, '..'),
    env: {
      ...ownEnvironment(),
      NODE_ENV: 'development',
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      PORT: '0',
      LOG_LEVEL: 'warn',
      ...settings,
    },
  }
  const child = spawn(process.execPath, ['src/main.ts', 'start'], options)
  const command: Server['command'] = async (...words) => {
    const { stdout } = await promisify(execFile)(process.execPath, ['src/main.ts', ...words], options)
    return stdout
  }
  const stop = async () => {
    await end(child)
    await admin(postgres.url, (client) => client.query(`drop database if exists ${name} with (force)`))
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    return { ...(await greeted(child, settings.DASHBOARD !== 'false')), databaseUrl, command, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function ownEnvironment(): NodeJS.ProcessEnv {
  const others = /^(DATABASE_URL|TEST_|VITEST|NODE_ENV|NODE_OPTIONS|BOOTSTRAP|ENCRYPTION|EGRESS)/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !others.test(name)))
}

async function greeted(
  child: ChildProcess,
  hasDashboard: boolean,
): Promise<Pick<Server, 'url' | 'link' | 'key' | 'api'>> {
  const lastLine = hasDashboard ? /Dashboard: \S+\n/ : /Try it:\n/
  const said = await new Promise<string>((resolve, reject) => {
    let output = ''
    const fail = (why: string) => reject(new Error(`the server ${why}:\n${output}`))
    const read = (chunk: Buffer) => {
      output += chunk
      if (lastLine.test(output)) resolve(output)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', (code) => fail(`ended with ${code}`))
    setTimeout(() => fail('is not ready after 50 s'), 50_000).unref()
  })
  const link = /Dashboard: (\S+)/.exec(said)?.[1] ?? ''
  const key = /td_\w{20,}/.exec(said)?.[0] ?? ''
  const url = /is ready at (\S+) after/.exec(said)?.[1] ?? ''
  const api: Server['api'] = async (method, path, body, environment) => {
    const reply = await fetch(url + path, {
      method,
      headers: {
        authorization: `ApiKey ${key}`,
        'content-type': 'application/json',
        ...(environment && { 'tidings-environment': environment }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`)
    return text ? JSON.parse(text) : null
  }
  return { link, key, url, api }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const force = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await ended
  clearTimeout(force)
}
