/**
 * npm run first-start: does what the README promises, as a newcomer would. It makes a clean clone, runs `npm ci`, then
 * `npm start` with no settings and no PostgreSQL. The printed curl must answer 201, the first notification must be in the
 * feed, the README's first e-mail must be in the mailbox, and an e-mail must reach a real SMTP server through an
 * integration. Ctrl-C must end the process in order and leave nothing behind; a second start must find the data. All of it
 * runs once more with DATABASE_URL set. Prints how long each step took, and the times since the clone began.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runToEnd, whenOver } from '../chaos/lib/clean-up.ts'
import { admin, findPostgres, withDatabase } from '../test/find-postgres.ts'
import { startSmtpReceiver } from '../test/peers/smtp-receiver.ts'

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
  const cloneStartedAt = performance.now()
  const reportSinceClone = (what: string) =>
    console.log(`from the clone to ${what}: ${((performance.now() - cloneStartedAt) / 1000).toFixed(1)} s`)
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
  expectStatus(
    'the first notification, in the feed',
    await sendFirstNotification(first.url, key),
    'Hello Ada, it works',
  )
  reportSinceClone('the first notification')
  expectStatus('the first e-mail of the README, in the mailbox', await sendFirstEmail(first.url, key), 'Hello Ada')
  reportSinceClone('the first e-mail in the mailbox')
  expectStatus('the first e-mail over SMTP', await sendOverSmtp(first.url, key), 'Hello Ada')
  reportSinceClone('the first e-mail over SMTP')
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
  const DATABASE_URL = withDatabase(postgres.url, name)
  const given = await start({ NODE_ENV: 'development', DATABASE_URL, BOOTSTRAP_API_KEY: 'a-key-of-my-own' })
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

/** Runs the README's first example in a shell; returns the content of Ada's newest notification. */
function sendFirstNotification(url: string, key: string): Promise<string> {
  return runExample({ url, key }, ['"name":"hello"', '/v1/subscribers/ada/notifications/feed'], /"content":"([^"]*)"/)
}

/** Runs the README's second example in a shell; returns the subject of the mail that arrived. */
function sendFirstEmail(url: string, key: string): Promise<string> {
  return runExample({ url, key }, ['"name":"hello-email"', '/v1/dev/mailbox'], /"subject":"([^"]*)"/)
}

/** Runs a trigger of the README and then its look-up until the pattern appears; returns what the pattern captured. */
async function runExample(
  { url, key }: { url: string; key: string },
  [triggered, shown]: [string, string],
  pattern: RegExp,
): Promise<string> {
  const readme = readFileSync(join(clone, 'README.md'), 'utf8')
  const isNeeded = (line: string) =>
    line.startsWith('api()') || (line.startsWith('api /') && (line.includes(triggered) || line.includes(shown)))
  const lines = readme.split('\n').filter(isNeeded)
  if (lines.length !== 3)
    throw new Error(`the README has ${lines.length} of the three lines of the example ${triggered}`)
  const [helper = '', trigger = '', look = ''] = lines.map((line) => line.replaceAll('http://localhost:3000', url))
  const shell = (line: string) => {
    const env = { ...process.env, KEY: key }
    return execFileSync('bash', ['-c', `${helper}\n${line}`], { encoding: 'utf8', env })
  }
  shell(trigger)
  for (let tries = 0; tries < 100; tries++) {
    const found = pattern.exec(shell(look))?.[1]
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return 'nothing came'
}

/** Adds an SMTP integration and triggers an e-mail; returns the subject that the mail server received. */
async function sendOverSmtp(url: string, key: string): Promise<string> {
  const mailServer = await startSmtpReceiver()
  whenOver(mailServer.close)
  const post = async (path: string, body: object) => {
    const headers = { authorization: `ApiKey ${key}`, 'content-type': 'application/json' }
    const reply = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!reply.ok) throw new Error(`POST ${path}: ${reply.status} ${await reply.text()}`)
  }
  const credentials = { host: mailServer.host, port: String(mailServer.port), from: 'team@example.com' }
  await post('/v1/integrations', { providerId: 'nodemailer', channel: 'email', active: true, credentials })
  await post('/v1/events/trigger', { name: 'hello-email', to: 'ada', payload: { message: 'it works' } })
  for (let tries = 0; tries < 100; tries++) {
    const subject = mailServer.mails[0]?.headers.find(([name]) => name.toLowerCase() === 'subject')?.[1]
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
