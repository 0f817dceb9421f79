/**
 * npm run first-start: what the README promises, done as a newcomer does it. A clean clone, `npm ci`, `npm start` with no
 * setting and no PostgreSQL; the printed curl must answer 201; the README's first e-mail must be in the mailbox; Ctrl-C
 * must end it in order and leave nothing behind; a second start must find the data; the same once more with DATABASE_URL
 * set. Prints how long each took.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runToEnd, whenOver } from '../chaos/lib/clean-up.ts'
import { admin, findPostgres, withDatabase } from '../test/find-postgres.ts'

const readyWithinSeconds = 20
const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'tidings-first-start-'))
// As in a home folder others may enter: the private PostgreSQL then keeps its files here and they go with the folder.
chmodSync(folder, 0o755)
const clone = join(folder, 'tidings')
const children = new Set<ChildProcess>()
whenOver(() => rmSync(folder, { recursive: true, force: true }))
whenOver(() => Promise.all([...children].map(stop)))

await runToEnd(async () => {
  await run('git', ['clone', '--quiet', '--no-local', root, clone], root)
  const startedAt = performance.now()
  await run('npm', ['ci', '--no-audit', '--no-fund', '--silent'], clone)
  console.log(`npm ci: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)

  const first = await start({})
  report('first start, private PostgreSQL', first)
  const curl = first.output.match(/curl -X POST[\s\S]*?\}'/)?.[0]
  if (!curl) throw new Error(`no curl was printed:\n${first.output}`)
  expectStatus(
    'the printed curl',
    execFileSync('sh', ['-c', `${curl} -s -o /dev/null -w '%{http_code}'`], { encoding: 'utf8' }),
    '201',
  )
  const key = first.output.match(/td_\w+/)?.[0] ?? ''
  expectStatus('the first e-mail of the README, in the mailbox', await sendFirstEmail(first.url, key), 'Hello Ada')
  await pressCtrlC(first)

  const second = await start({})
  report('second start', second)
  if (/td_\w{40}/.test(second.output)) throw new Error('the second start printed a key again')
  expectStatus('the data of the first', await statusOf(`${second.url}/v2/subscribers/ada`, key), '200')
  await pressCtrlC(second)

  const postgres = await findPostgres()
  whenOver(postgres.stop)
  const name = `tidings_te_first_start_${process.pid}`
  whenOver(() => admin(postgres.url, (client) => client.query(`drop database if exists ${name} with (force)`)))
  await admin(postgres.url, (client) => client.query(`create database ${name}`))
  const given = await start({ DATABASE_URL: withDatabase(postgres.url, name), BOOTSTRAP_API_KEY: 'a-key-of-my-own' })
  report('first start, DATABASE_URL', given)
  expectStatus('the bootstrap key', await statusOf(`${given.url}/v2/subscribers`, 'a-key-of-my-own'), '200')
  await pressCtrlC(given)
})

type Started = { child: ChildProcess; url: string; output: string; seconds: number }

/** A newcomer's shell: nothing of ours in the environment. */
async function start(settings: Record<string, string>): Promise<Started> {
  const ours = /^(npm_|NODE|INIT_CWD|DATABASE_URL|TEST_|VITEST|CI$|DATA_DIR|BOOTSTRAP|ENCRYPTION|PORT$)/
  const plain = Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)))
  const path = (plain.PATH ?? '')
    .split(':')
    .filter((entry) => !entry.includes('node_modules'))
    .join(':')
  const startedAt = performance.now()
  const env = { ...plain, PATH: path, PORT: '0', ...settings }
  // A group of its own, as a shell makes one for every command.
  const child = spawn('npm', ['start'], { cwd: clone, env, detached: true })
  children.add(child)
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk
      const address = /ready at (\S+) after/.exec(output)?.[1]
      // The key and the curl follow in the same breath.
      if (address) setTimeout(resolve, 100, address)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.on('exit', (code) => reject(new Error(`npm start ended with ${code}:\n${output}`)))
    setTimeout(
      () => reject(new Error(`not ready after ${readyWithinSeconds} s:\n${output}`)),
      readyWithinSeconds * 1000,
    ).unref()
  })
  return { child, url, output, seconds: (performance.now() - startedAt) / 1000 }
}

/** The README's own lines, run in a shell; the subject of the mail that came. */
async function sendFirstEmail(url: string, key: string): Promise<string> {
  const readme = readFileSync(join(clone, 'README.md'), 'utf8')
  const lines = readme
    .split('\n')
    .filter((line) => /^api(\(\)| \/v1\/events\/trigger -d .*hello-email| \/v1\/dev\/mailbox)/.test(line))
  if (lines.length !== 3) throw new Error(`the README has ${lines.length} of the three lines of its second example`)
  const [helper = '', trigger = '', look = ''] = lines.map((line) => line.replaceAll('http://localhost:3000', url))
  const shell = (line: string) => {
    const env = { ...process.env, KEY: key }
    return execFileSync('bash', ['-c', `${helper}\n${line}`], { encoding: 'utf8', env })
  }
  shell(trigger)
  for (let tries = 0; tries < 100; tries++) {
    const subject = /"subject":"([^"]*)"/.exec(shell(look))?.[1]
    if (subject !== undefined) return subject
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return 'nothing came'
}

/** As Ctrl-C in a terminal: the whole group gets the signal, and npm, which is one of it, passes it on once more. */
async function pressCtrlC({ child }: Started): Promise<void> {
  const ended = once(child, 'exit')
  interrupt(child)
  const [code] = await ended
  expectStatus('Ctrl-C', `exit code ${code}`, 'exit code 0')
  children.delete(child)
  if (existsSync(join(clone, '.data', 'postgres', 'postmaster.pid'))) throw new Error('its PostgreSQL still runs')
}

async function stop(child: ChildProcess): Promise<void> {
  children.delete(child)
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  interrupt(child)
  await ended
}

function interrupt({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, 'SIGINT')
}

/** A command that ends by itself, unless this run is ended first. */
async function run(command: string, args: string[], cwd: string): Promise<void> {
  const child = spawn(command, args, { cwd, detached: true, stdio: ['ignore', 'ignore', 'inherit'] })
  children.add(child)
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`)
}

async function statusOf(url: string, key: string): Promise<string> {
  return String((await fetch(url, { headers: { authorization: `ApiKey ${key}` } })).status)
}

function expectStatus(what: string, got: string, wanted: string): void {
  if (got !== wanted) throw new Error(`${what}: ${got} instead of ${wanted}`)
  console.log(`${what}: ${got}`)
}

function report(what: string, started: Started): void {
  console.log(`${what}: ready after ${started.seconds.toFixed(1)} s`)
}
