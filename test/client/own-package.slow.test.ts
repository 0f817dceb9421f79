import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blocksOf } from '../docs/blocks.ts'
import { type Client, type Json, useHarness } from '../harness.ts'
import { makeWorkflow } from '../pipeline.ts'
import { hashOf, identifierOf } from './inbox-session.ts'

/** The client as its README packs and installs it, in a project that knows nothing of this repository. */
const h = useHarness({ INBOX_HASH: 'required' }, { worker: true })
const root = join(import.meta.dirname, '..', '..')
const source = join(root, 'packages/client')
const folder = mkdtempSync(join(tmpdir(), 'tidings-package-'))
const blocks = blocksOf(readFileSync(join(source, 'README.md'), 'utf8'))
const commands = blocks.filter(({ language, notRun }) => language === 'sh' && !notRun)
const shell = (cwd: string, script: string) => execFileSync('bash', ['-ec', script], { cwd, encoding: 'utf8' })
const npm = (cwd: string, ...args: string[]) => execFileSync('npm', args, { cwd, encoding: 'utf8' })
const installed = join(folder, 'node_modules/@tidings/client')
let env: Client

beforeAll(async () => {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const [pack = '', install = ''] = commands.map(({ text }) => text)
  // `npm ci` was run in this checkout already.
  shell(root, pack.replace('npm ci\n', '').replace('../my-app', folder))
  shell(folder, install)
  env = await h.environment()
  await makeWorkflow(env)
  await env.post('/v1/events/trigger', { name: 'hello', to: 'ada' })
  await h.drain()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs it to its end: a timer or connection that is left would hold it until it is killed. */
async function run(text: string): Promise<string> {
  const file = join(folder, `${crypto.randomUUID()}.js`)
  writeFileSync(file, text)
  const settings = { env: { ...process.env, TIDINGS_KEY: env.key }, timeout: 15_000, cwd: folder }
  return (await promisify(execFile)(process.execPath, [file], settings)).stdout
}

async function asHere(text: string): Promise<string> {
  return text
    .replaceAll('https://notify.example.com', h.url)
    .replaceAll('te_…', await identifierOf(env))
    .replaceAll("'…'", `'${hashOf(env.key, 'ada')}'`)
}

test('it holds what it says, and needs nothing else', () => {
  const manifest: Json = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  const service: Json = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(manifest.version).toBe(service.version)
  expect(Object.keys(manifest)).not.toContain('dependencies')
  const files = npm(folder, 'ls', '--all', '--parseable').trim().split('\n')
  expect(files).toHaveLength(2)
  for (const file of ['README.md', 'LICENSE', 'dist/tidings.d.ts', 'dist/inbox/inbox.d.ts'])
    expect(readFileSync(join(installed, file), 'utf8')).not.toBe('')
})

describe('the examples of its README', () => {
  const examples = blocks.filter(({ language }) => language === 'js')
  test('are there, with two commands before them', () =>
    expect([commands, examples].map((it) => it.length)).toEqual([2, 6]))

  test.each(examples)('line $line', async ({ text, shows }) => {
    expect(shows.length).toBeGreaterThan(0)
    const said = await run(await asHere(text))
    for (const part of shows) expect(said).toContain(part)
  })
})

test('a process that listened ends by itself after stop', async () => {
  const said = await run(
    await asHere(`
      import { tidings } from '@tidings/client'
      import { inbox } from '@tidings/client/inbox'
      const url = 'https://notify.example.com'
      const client = tidings({ url, key: process.env.TIDINGS_KEY })
      const mine = inbox({ url, applicationIdentifier: 'te_…', subscriberId: 'ada', subscriberHash: '…' })
      const stop = mine.listen({
        connected: () => client.trigger({ name: 'hello', to: 'ada' }),
        received({ body }) {
          console.log(body)
          stop()
        },
      })`),
  )
  expect(said).toContain('Hello')
})

test.each(['nodenext', 'bundler'])('its types, as %s finds them', (moduleResolution) => {
  const uses = `
    import { type InboxNotification, inbox } from '@tidings/client/inbox'
    import { type Subscriber, type Tidings, TidingsError, tidings } from '@tidings/client'
    const client: Tidings = tidings({ url: 'https://notify.example.com', key: '' })
    export const ada: Promise<Subscriber> = client.subscribers.get('ada')
    export const id: Promise<string | undefined> = client.trigger({ name: 'hello', to: 'ada' }).then((it) => it.transactionId)
    export const tenant = client.request('GET /v1/tenants/{identifier}', { path: { identifier: 'acme' } })
    export const names: Promise<string> = tenant.then((it) => it.identifier)
    // @ts-expect-error it needs a name
    client.trigger({ to: 'ada' })
    // @ts-expect-error there is no such operation
    client.request('GET /v1/nothing')
    // @ts-expect-error it needs an identifier
    client.request('GET /v1/tenants/{identifier}')
    const mine = inbox({ url: '', token: '' })
    export const first: Promise<InboxNotification | undefined> = mine.list({ tags: ['a'] }).then(({ data }) => data[0])
    // @ts-expect-error neither a token nor a person
    inbox({ url: '' })
    // @ts-expect-error there are two buttons
    mine.complete('id', 'third')
    export const stop: () => void = mine.listen({ counts: ({ unread, severity }) => unread + severity.high })
    export const status = (error: unknown): number => (error instanceof TidingsError ? error.status : 0)
  `
  const place = join(folder, moduleResolution)
  mkdirSync(place)
  writeFileSync(join(place, 'uses.ts'), uses)
  const module = moduleResolution === 'nodenext' ? 'nodenext' : 'esnext'
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'es2022',
    lib: ['es2022', 'dom'],
    types: [],
    module,
    moduleResolution,
    exactOptionalPropertyTypes: true,
  }
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['uses.ts'] }))
  const tsc = join(root, 'node_modules/.bin/tsc')
  // Throws with what it prints.
  expect(execFileSync(tsc, ['-p', place], { encoding: 'utf8' })).toBe('')
})
