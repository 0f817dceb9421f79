import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { admin, withDatabase } from '../../test/find-postgres.ts'

const main = join(import.meta.dirname, '../main.ts')
const database = `tidings_test_${process.pid}_${randomBytes(4).toString('hex')}`
let databaseUrl = ''
beforeAll(async () => {
  const { url } = inject('postgres')
  await admin(url, (client) => client.query(`create database ${database}`))
  databaseUrl = withDatabase(url, database)
})
afterAll(() =>
  admin(inject('postgres').url, (client) => client.query(`drop database if exists ${database} with (force)`)),
)

const children: { kill(signal: 'SIGKILL'): unknown }[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

type Run = { child: ChildProcess; stdout(): string; stderr(): string; ended: Promise<number | null> }

/** Runs the program itself, with nothing of this process in its environment. */
function start(args: string[], settings: Record<string, string>, nodeOptions: string[] = []): Run {
  const env = { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', DASHBOARD: 'true', ...settings }
  const child = spawn(process.execPath, [...nodeOptions, main, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  const text = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (it) => (text[name] += it))
  const ended = once(child, 'close').then(([code]) => code)
  return { child, stdout: () => text.stdout, stderr: () => text.stderr, ended }
}

async function until({ child, stdout, stderr }: Run, pattern: RegExp): Promise<void> {
  while (!pattern.test(stdout())) {
    if (child.exitCode !== null) throw new Error(`it ended before it said ${pattern}: ${stdout()}${stderr()}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

type Line = { level: number; time: number; pid: number; msg: string; err?: unknown }

/** Every line that was printed, on both streams, as JSON. */
function linesOf({ stdout, stderr }: Run): Line[] {
  expect(stderr()).toBe('')
  const lines = stdout()
    .split('\n')
    .filter((it) => it !== '')
    .map((it): Line => JSON.parse(it))
  for (const line of lines)
    expect(line).toMatchObject({
      level: expect.any(Number),
      time: expect.any(Number),
      pid: expect.any(Number),
      msg: expect.any(String),
    })
  return lines
}

const production = () => ({
  NODE_ENV: 'production',
  DATABASE_URL: databaseUrl,
  DATABASE_POOL_SIZE: '4',
  ENCRYPTION_KEYS: `t1:${Buffer.alloc(32, 1).toString('base64')}`,
  STOP_DELAY_SECONDS: '0',
})

describe('in production every line is JSON, on whatever stream', () => {
  test('a first start with its migrations, a request, the end; and no key is made or printed', async () => {
    // A start is reported even if the log itself is quieter.
    const run = start([], { ...production(), LOG_LEVEL: 'info' })
    await until(run, /is ready at/)
    const [, port] = /localhost:(\d+)/.exec(run.stdout()) ?? []
    await fetch(`http://127.0.0.1:${port}/v2/topics`)
    run.child.kill('SIGTERM')
    expect(await run.ended).toBe(0)
    const lines = linesOf(run)
    const messages = lines.map(({ msg }) => msg)
    expect(messages.filter((it) => it.startsWith('migrated: 0')).length).toBeGreaterThan(20)
    expect(messages).toContainEqual(
      expect.stringMatching(/^Tidings \(api and worker\) is ready at http:\/\/localhost:\d+/),
    )
    expect(messages).toContainEqual(expect.stringMatching(/^Dashboard: http:\/\/localhost:\d+\/$/))
    expect(messages).toContainEqual(expect.stringMatching(/keys create --organization$/))
    expect(messages).toContain('stopping')
    expect(run.stdout()).not.toMatch(/td_\w+|#link=/)
    const keys = await admin(databaseUrl, (client) => client.query('select 1 from api_key'))
    expect(keys.rowCount).toBe(0)
  })

  test('then `keys create` prints the first key, as text to the person who asked, and only that one', async () => {
    const run = start(['keys', 'create', 'development', 'mine', '--organization'], production())
    expect(await run.ended).toBe(0)
    expect(run.stdout()).toMatch(/^API key of "Development", shown this once:\n\n {2}td_c1_\w+\n\n$/)
    const keys = await admin(databaseUrl, (client) => client.query('select name, reach from api_key'))
    expect(keys.rows).toEqual([{ name: 'mine', reach: 'organization' }])
  })

  test('`migrate`, even with LOG_LEVEL=silent', async () => {
    const run = start(['migrate'], { ...production(), LOG_LEVEL: 'silent' })
    expect(await run.ended).toBe(0)
    expect(linesOf(run)).toMatchObject([{ level: 30, msg: 'The database is up to date.' }])
  })

  test.each([
    [
      'bad settings',
      ['start'],
      { PORT: 'x', ENCRYPTION_KEYS: '' },
      /^The settings have 2 faults:\n- PORT.*\n- ENCRYPTION/,
    ],
    ['no database', ['worker'], { DATABASE_URL: 'postgres://x@127.0.0.1:1/x' }, /127\.0\.0\.1:1 cannot be reached/],
    ['another key', ['api'], { ENCRYPTION_KEYS: `t9:${Buffer.alloc(32).toString('base64')}` }, /ENCRYPTION_KEYS lacks/],
    ['a mistake in the command line', ['api', '--x'], {}, /^Unknown option '--x'\nFor help: tidings api --help$/],
    ['a gateway without cells', ['gateway'], {}, /CELLS is required/],
  ])('a start that fails: %s', async (_what, args, settings, message) => {
    const run = start(args, { ...production(), ...settings })
    expect(await run.ended).toBe(1)
    expect(linesOf(run)).toMatchObject([{ level: 60, msg: expect.stringMatching(message), err: { type: 'Error' } }])
  })

  test('a gateway', async () => {
    const run = start(['gateway'], { NODE_ENV: 'production', CELLS: 'ca=http://127.0.0.1:1', STOP_DELAY_SECONDS: '0' })
    await until(run, /is ready at/)
    run.child.kill('SIGTERM')
    expect(await run.ended).toBe(0)
    expect(linesOf(run).map(({ msg }) => msg)).toContain('stopping')
  })

  test('what Node itself would print: a warning, and an error that nothing catches', async () => {
    // Waits until the program catches such errors.
    const trouble = `data:text/javascript,
      const timer = setInterval(() => {
        if (process.listenerCount('uncaughtException') === 0) return;
        clearInterval(timer);
        process.emitWarning('look out');
        setTimeout(() => { throw new Error('unforeseen'); }, 100);
      }, 10)`
    const run = start(['api'], production(), ['--import', encodeURI(trouble)])
    expect(await run.ended).toBe(1)
    const lines = linesOf(run)
    expect(lines).toContainEqual(expect.objectContaining({ level: 40, msg: 'look out' }))
    expect(lines.at(-1)).toMatchObject({ level: 60, err: { message: 'unforeseen', stack: expect.any(String) } })
  })
})

describe('nothing guesses between production and development', () => {
  test.each([['start'], ['migrate'], ['keys list']])(
    '`%s` with DATABASE_URL and without NODE_ENV ends with 1, and names both lines',
    async (words) => {
      const run = start(words.split(' '), { DATABASE_URL: databaseUrl })
      expect(await run.ended).toBe(1)
      expect(run.stdout()).toBe('')
      expect(run.stderr()).toMatch(/^The settings have a fault:\n- DATABASE_URL is set, and NODE_ENV is not\./)
      expect(run.stderr()).toMatch(/\n +NODE_ENV=production .*\n(.*\n)* +NODE_ENV=development /)
    },
  )

  test('a process that inherits NODE_ENV=test is refused, too', async () => {
    const run = start(['api'], { DATABASE_URL: databaseUrl, NODE_ENV: 'test' })
    expect(await run.ended).toBe(1)
    expect(run.stderr()).toContain('NODE_ENV is "test"')
  })

  test('in development the start is reported in sentences', async () => {
    const run = start(['api'], { ...production(), NODE_ENV: 'development', LOG_LEVEL: 'warn', DASHBOARD: 'false' })
    await until(run, /^Tidings \(api\) is ready at http:\/\/localhost:\d+ after .* s\.$/m)
    run.child.kill('SIGTERM')
    expect(await run.ended).toBe(0)
  })
})

const asProcess1 = ['--user', '--map-root-user', '--pid', '--fork', '--kill-child']
const canBeProcess1 = spawnSync('unshare', [...asProcess1, 'true']).status === 0

describe.skipIf(!canBeProcess1)('SIGTERM ends a start of process 1, as which a container runs it,', () => {
  /** Starts a worker whose database never answers, so that the start lasts until the signal. */
  async function startAsProcess1(nodeOptions: string[] = []) {
    const silent = createServer((socket) => children.push({ kill: () => socket.destroy() })).listen(0, '127.0.0.1')
    children.push({ kill: () => silent.close() })
    await once(silent, 'listening')
    const address = silent.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const env = { PATH: process.env.PATH, PORT: '0', ...production(), DATABASE_URL: `postgres://x@127.0.0.1:${port}/x` }
    const args = [...asProcess1, process.execPath, ...nodeOptions, main, 'worker']
    const unshare = spawn('unshare', args, { env, stdio: 'ignore' })
    children.push(unshare)
    return { unshare, ended: once(unshare, 'exit'), connected: once(silent, 'connection') }
  }

  test('while it waits for the database', async () => {
    const { unshare, ended, connected } = await startAsProcess1()
    await connected
    process.kill(Number(readFileSync(`/proc/${unshare.pid}/task/${unshare.pid}/children`, 'utf8')), 'SIGTERM')
    expect(await ended).toEqual([128 + 15, null])
  })

  test('while its modules are loaded', async () => {
    const signalItself = `import { registerHooks } from 'node:module'
      const load = (url, context, next) => {
        if (url.endsWith('/src/config.ts')) process.kill(process.pid, 'SIGTERM')
        return next(url, context)
      }
      registerHooks({ load })`
    const { ended } = await startAsProcess1(['--import', `data:text/javascript,${encodeURIComponent(signalItself)}`])
    expect(await ended).toEqual([128 + 15, null])
  })
})
