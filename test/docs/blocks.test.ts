import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, expect, inject, test } from 'vitest'
import { admin, withDatabase } from '../find-postgres.ts'
import { type SmtpReceiver, startSmtpReceiver } from '../peers/smtp-receiver.ts'
import { type Block, blocksOf } from './blocks.ts'
import { type FreshServer, startFreshServer } from './fresh-server.ts'

/** Every block of the README and the guides, as printed, against a server that was just started. */
const root = join(import.meta.dirname, '..', '..')
const guides = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => join('docs', name))]
  .filter((name) => name.endsWith('.md'))
  .map((name) => ({ name, blocks: blocksOf(readFileSync(join(root, name), 'utf8')) }))
  .filter(({ blocks }) => blocks.some(({ language }) => language !== 'yaml'))

const encryptionKey = `k1:${Buffer.alloc(32, 1).toString('base64')}`
const newKey = `k2:${Buffer.alloc(32, 2).toString('base64')}`
/** What the text of a guide says to set. */
const settingsOf: Record<string, Record<string, string>> = {
  'docs/migrating.md': { VENDOR_NAMES: 'novu' },
  'docs/moving.md': { VENDOR_NAMES: 'novu' },
  'docs/production.md': { METRICS_TOKEN: 'a-token-for-metrics' },
}

const helper = /^api\(\) .*$/m.exec(readFileSync(join(root, 'README.md'), 'utf8'))?.[0] ?? ''
const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

test.each(guides)('$name', { timeout: 450_000 }, async ({ name, blocks }) => {
  const mailServer = await startSmtpReceiver({ auth: { user: 'mailer', password: 'a-password' } })
  const mailpit = await startSmtpReceiver()
  cleanUps.push(mailServer.close, mailpit.close)
  const folder = makeFolder()
  const startsItself = blocks.some(({ stays }) => stays)
  const server = startsItself ? await noServer() : await freshServer(folder, settingsOf[name])
  const wrong: string[] = []
  // One shell for the whole guide: what a block defines holds for those after it.
  const script = [
    startsItself ? endWhatStays : '',
    helper,
    ...blocks.flatMap((block, n) => [`echo; echo "@@${n}"`, toShell(block, folder)]),
  ].join('\n')
  const { stdout } = await promisify(execFile)('bash', ['-c', asHere(script, server, { mailServer, mailpit })], {
    cwd: folder,
    env: { ...server.shell, PATH: withOwnNode(server.shell.PATH) },
    timeout: 400_000,
    maxBuffer: 50_000_000,
  })
  const printed = new Map(stdout.split(/^@@/m).map((part) => [Number.parseInt(part, 10), part]))
  for (const [n, { line, shows, notRun, file }] of blocks.entries()) {
    const said = printed.get(n) ?? ''
    if (!notRun && !file && shows.length === 0) wrong.push(`line ${line}: nothing says what it shows`)
    for (const text of said.includes(cannot) ? [] : shows)
      if (!said.includes(text)) wrong.push(`line ${line}: no "${text}" in ${said.slice(0, 600)}`)
  }
  expect(wrong).toEqual([])
})

test('a block that does not show what is said is found', () => {
  const [block] = blocksOf('x\n\n<!-- before: A=1 -->\n```sh\necho $A\n```\n<!-- shows: 1 · one -->\n')
  expect(block).toEqual({
    line: 3,
    language: 'sh',
    text: 'echo $A\n',
    before: 'A=1',
    file: '',
    notRun: '',
    needs: '',
    stays: '',
    shows: ['1', 'one'],
  })
})

const cannot = 'this cannot be run here'

/** Each of them is a process group; nothing of it is left when the shell ends. */
const endWhatStays = `set -m
trap 'for job in $(jobs -p); do kill -- -$job; for n in $(seq 300); do kill -0 -- -$job || break; sleep 0.2; done; done 2> /dev/null' EXIT`

function toShell({ line, language, text, before, needs, file, notRun, stays }: Block, folder: string): string {
  if (file) {
    mkdirSync(join(folder, dirname(file)), { recursive: true })
    writeFileSync(join(folder, file), text)
    return ''
  }
  if (notRun || language === 'yaml') return ''
  if (language === 'js') return `${before}\nnode --input-type=module <<'END'\n${text}END`
  if (stays) {
    const said = `said-${line}`
    const wait = `until grep -qF '${stays}' ${said}; do kill -0 $! || { cat ${said} >&2; exit 1; }; sleep 0.2; done`
    return `${before}\n{ ${text}\n} > ${said} 2>&1 &\n${wait}; cat ${said}`
  }
  const run = `${before}\n{ ${text}\n} 2>&1`
  return needs ? `if ${needs} > /dev/null 2>&1; then ${run}; else echo "${cannot}"; fi` : run
}

type MailServers = { mailServer: SmtpReceiver; mailpit: SmtpReceiver }

/** The server's own address, and what the text leaves to the reader: a mail server, a key, a database. */
function asHere(text: string, { url, shell }: Server, { mailServer, mailpit }: MailServers): string {
  const database = URL.parse(shell.DATABASE_URL ?? '')?.pathname.slice(1)
  return (
    text
      .replaceAll('http://localhost:3000', url)
      // A machine that runs tests is slower than a reader's.
      .replaceAll(/^sleep (\d+)/gm, (_, seconds) => `sleep ${2 * seconds + 1}`)
      .replaceAll('setTimeout(resolve, 1000)', 'setTimeout(resolve, 3000)')
      .replaceAll('postgres://…/tidings_restored', `${shell.DATABASE_URL}_restored`)
      .replaceAll('tidings_restored', `${database}_restored`)
      .replaceAll('ca=postgres://tidings:…@db-a/tidings,cb=postgres://tidings:…@db-b/tidings', '$CELL_DATABASES')
      .replaceAll(/(PORT=|localhost:)3100/g, `$1${shell.SECOND_PORT}`)
      .replaceAll('<environment id>', '"$ENVIRONMENT"')
      .replaceAll(
        '<key id>',
        `"$(npm start -- keys list "$ENVIRONMENT" | grep second | grep -oE '[0-9a-f]{8}-[0-9a-f-]{27}' | head -1)"`,
      )
      .replaceAll('k2:…,k1:…', `${newKey},${encryptionKey}`)
      .replaceAll(
        '"host":"smtp.example.com","port":"587","requireTls":true',
        `"host":"127.0.0.1","port":"${mailServer.port}"`,
      )
      .replaceAll('"port":"1025"', `"port":"${mailpit.port}"`)
      .replaceAll('"user":"…","password":"…"', '"user":"mailer","password":"a-password"')
  )
}

type Server = Pick<FreshServer, 'url' | 'shell'>

/** The checkout, but for what a start writes. */
function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tidings-docs-'))
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }))
  for (const name of readdirSync(root)) if (name !== '.data') symlinkSync(join(root, name), join(folder, name))
  return folder
}

async function freshServer(folder: string, settings: Record<string, string> = {}): Promise<Server> {
  const { url, databases } = inject('postgres')
  const name = `${databases}docs_${Math.random().toString(36).slice(2, 8)}`
  await admin(url, (client) => client.query(`create database ${name}`))
  const server = await startFreshServer({
    folder,
    databaseUrl: withDatabase(url, name),
    settings: { ENCRYPTION_KEYS: `${encryptionKey},${newKey}`, ...settings },
  })
  cleanUps.push(server.stop)
  return server
}

/** Ports that were free a moment ago, for what a guide starts. */
async function noServer(): Promise<Server> {
  const [first = 0, second = 0] = await Promise.all([freePort(), freePort()])
  const { PATH, HOME } = process.env
  return { url: `http://localhost:${first}`, shell: { PATH, HOME, PORT: `${first}`, SECOND_PORT: `${second}` } }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

const withOwnNode = (path = '') => [join(root, 'node_modules', '.bin'), path].join(delimiter)
