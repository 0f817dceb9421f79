import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { parse as parseYaml, stringify } from 'yaml'
import { type Client, testConfig, useHarness } from '../../../test/harness.ts'
import {
  contentOf,
  mail,
  type Place,
  placeOf,
  saveLayout,
  saveWords,
  saveWorkflow,
} from '../../../test/publishing/places.ts'
import { runProgram } from '../cli/run-program.ts'
import { fileName, nameInFile } from './file-names.ts'

const h = useHarness()
const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tidings-content-'))
  folders.push(folder)
  return folder
}

const noSettings = () => {
  throw new Error('with a URL no settings of the service are read')
}

/** By both doors: with a key over HTTP, and straight in the database. */
const doors = {
  'over HTTP': (env: Client) => ({ settings: noSettings, where: ['--url', h.url, '--key', env.key] }),
  'in the database': (env: Client) => ({
    settings: () => testConfig({ DATABASE_URL: h.databaseUrl, DATABASE_POOL_SIZE: '2' }),
    where: ['--environment', env.environmentId],
  }),
}
type DoorName = keyof typeof doors

async function run(door: DoorName, env: Client, name: 'apply' | 'diff' | 'pull', ...args: string[]) {
  const said: string[] = []
  const { settings, where } = doors[door](env)
  const code = await runProgram([name, ...args, ...where], { settings, print: (line) => said.push(line) })
  return { code, said, last: said.at(-1) }
}

function filesIn(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.\w+$/.test(name))
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}

const document = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Hi' }] }] }

/** Everything that a file can say. */
async function fill(place: Place): Promise<void> {
  await saveLayout(place, 'brand', '<b>Acme</b>\n{{content}}\n', { isDefault: true, isTranslationEnabled: true })
  await saveLayout(place, 'empty', '')
  await saveWords(place, 'layout', 'brand', 'de', { foot: { line: 'Zeile' } })
  await saveWorkflow(
    place,
    'order',
    [
      mail('mail', '<p>One</p>\n<p>Two</p>\n', { layoutId: 'brand' }),
      mail('blocks', JSON.stringify(document), { editorType: 'block', layoutId: null }),
      { stepId: 'wait', name: 'Wait', type: 'delay', controlValues: { type: 'regular', amount: 1, unit: 'hours' } },
      {
        stepId: 'sms',
        name: 'SMS',
        type: 'sms',
        active: false,
        shouldStopOnFail: true,
        when: { stepId: 'mail', is: 'unseen' },
        filters: [
          {
            isNegated: false,
            type: 'GROUP',
            value: 'AND',
            children: [{ field: 'a', value: 'b', operator: 'EQUAL', on: 'payload' }],
          },
        ],
        controlValues: { body: '  leading, "quotes": #no comment\ttab' },
        variants: [{ name: 'V', filters: [], controlValues: { body: 'Variant' } }],
        replyCallback: { active: true, url: 'https://example.com' },
      },
    ],
    {
      description: 'What\nhappens',
      tags: ['yes', 'null', '1.0'],
      severity: 'high',
      critical: false,
      validatePayload: false,
      payloadSchema: { type: 'object', properties: { on: { type: 'string', pattern: '^\\d+$' } } },
      preferences: {
        user: { all: { enabled: true, readOnly: true } },
        workflow: { channels: { sms: { enabled: false } } },
      },
      ttl: { amount: 2, unit: 'hours' },
      isTranslationEnabled: true,
    },
  )
  await saveWorkflow(place, 'off', [], { active: false })
  await saveWords(place, 'workflow', 'order', 'de-AT', { 'a.b': 'x', nested: { c: 'Grüße {name}' } })
}

describe.each(Object.keys(doors) as DoorName[])('%s', (door) => {
  test('pulled twice there is no difference; what was pulled changes nothing; elsewhere it makes the same', async () => {
    const env = await h.environment()
    const place = placeOf(env, env.environmentId)
    await fill(place)
    const folder = makeFolder()
    expect((await run(door, env, 'pull', folder)).last).toBe('6 written, 0 unchanged, 0 deleted.')
    const files = filesIn(folder)
    expect(Object.keys(files)).toEqual([
      'layouts/brand.yaml',
      'layouts/empty.yaml',
      'off.yaml',
      'order.yaml',
      'translations/layouts/brand/de.json',
      'translations/workflows/order/de_AT.json',
    ])
    expect(files['order.yaml']).toContain('body: |\n        <p>One</p>\n        <p>Two</p>\n')
    expect(files['order.yaml']).toContain('        type: doc\n')
    expect((await run(door, env, 'pull', folder)).last).toBe('0 written, 6 unchanged, 0 deleted.')
    const again = makeFolder()
    await run(door, env, 'pull', again)
    expect(filesIn(again)).toEqual(files)
    expect(await run(door, env, 'diff', folder)).toMatchObject({
      code: 0,
      said: ['0 would be created, 0 changed; 6 are the same.'],
    })
    expect((await run(door, env, 'apply', folder)).last).toBe('0 created, 0 changed, 6 unchanged.')
    const other = await h.environment()
    expect((await run(door, other, 'apply', folder)).last).toBe('6 created, 0 changed, 0 unchanged.')
    expect(await contentOf(placeOf(other, other.environmentId))).toEqual(await contentOf(place))
    const third = makeFolder()
    await run(door, other, 'pull', third)
    expect(filesIn(third)).toEqual(files)
    expect((await other.get('/v2/workflows/off')).body.active).toBe(false)
  })

  test('diff: line by line, 2 if something differs, 1 with a fault; nothing is written', async () => {
    const env = await h.environment()
    const place = placeOf(env, env.environmentId)
    await saveWorkflow(place, 'order', [mail('mail', 'One\nTwo\nThree\n')])
    const folder = makeFolder()
    await run(door, env, 'pull', folder)
    const text = readFileSync(join(folder, 'order.yaml'), 'utf8')
    writeFileSync(
      join(folder, 'order.yaml'),
      text.replace('Two', 'Zwei\x1b[31m\n        ::add-mask::x').replace('name: Workflow order', 'name: Order'),
    )
    writeFileSync(join(folder, 'new.yaml'), 'workflowId: new\nname: New\nsteps: []\n')
    const shown = await run(door, env, 'diff', folder)
    expect(shown).toMatchObject({ code: 2 })
    expect(shown.said).toEqual([
      'added     new  (new.yaml)',
      'modified  order  (order.yaml)',
      '  ~ name: "Workflow order" → "Order"',
      '  ~ steps.mail.controlValues.body',
      '      @@ line 1 @@',
      '      |  One',
      '      | -Two',
      '      | +Zwei\ufffd[31m',
      '      | +::add-mask::x',
      '      |  Three',
      '      |  ',
      '1 would be created, 1 changed; 0 are the same.',
    ])
    const json = JSON.parse((await run(door, env, 'diff', folder, '--json')).said.join('\n'))
    expect(json).toMatchObject({
      summary: { added: 1, modified: 1, unchanged: 0 },
      resources: [{ file: 'new.yaml' }, { file: 'order.yaml' }],
    })
    expect((await env.get('/v2/workflows')).body.totalCount).toBe(1)
    writeFileSync(join(folder, 'new.yaml'), 'workflowId: new\nname: New\nsteps: 7\n')
    await expect(run(door, env, 'diff', folder)).rejects.toThrow(/new\.yaml: steps must be array/)
  })

  test('pull: changed files are written where they are, others keep their comments; gone ones go only when told', async () => {
    const env = await h.environment()
    const place = placeOf(env, env.environmentId)
    await saveWorkflow(place, 'one', [mail('mail', 'One')])
    await saveWorkflow(place, 'two', [mail('mail', 'Two')])
    await saveWords(place, 'workflow', 'two', 'de', { a: 'b' })
    const folder = makeFolder()
    await run(door, env, 'pull', folder)
    const commented = `# Ours\n${readFileSync(join(folder, 'one.yaml'), 'utf8')}description: ''\n`
    rmSync(join(folder, 'one.yaml'))
    writeFileSync(join(folder, 'first.yaml'), commented)
    expect((await run(door, env, 'pull', folder)).last).toBe('0 written, 3 unchanged, 0 deleted.')
    await saveWorkflow(place, 'one', [mail('mail', 'Changed')])
    await env.delete('/v2/workflows/two')
    const pulled = await run(door, env, 'pull', folder)
    expect(pulled.said).toEqual([
      'written    first.yaml',
      'gone       two.yaml',
      'gone       translations/workflows/two/de.json',
      'Files whose content is gone from the environment were kept; --prune deletes them.',
      '1 written, 0 unchanged, 0 deleted.',
    ])
    expect(readFileSync(join(folder, 'first.yaml'), 'utf8')).toContain('Changed')
    writeFileSync(join(folder, 'notes.txt'), 'mine')
    expect((await run(door, env, 'pull', folder, '--prune')).last).toBe('0 written, 1 unchanged, 2 deleted.')
    expect(Object.keys(filesIn(folder))).toEqual(['first.yaml', 'notes.txt'])
  })

  test('a protected environment is not changed by files', async () => {
    const env = await h.environment()
    await saveWorkflow(placeOf(env, env.environmentId), 'one', [mail('mail', 'One')])
    const folder = makeFolder()
    await run(door, env, 'pull', folder)
    await sql`update environment set protected = true where id = ${env.environmentId}`.execute(h.admin)
    await expect(run(door, env, 'apply', folder)).rejects.toThrow(/protected/)
    expect((await run(door, env, 'diff', folder)).code).toBe(0)
  })

  test('names that are no names of files', async () => {
    const env = await h.environment()
    const place = placeOf(env, env.environmentId)
    const names = [
      '../../up',
      'a/b',
      '..',
      'Order',
      'order',
      'ORDER',
      'con',
      'ünï 😀',
      '100%',
      '.hidden',
      'a.',
      '-x',
      "it's",
    ]
    for (const name of names) {
      expect((await place.post('/v2/workflows', { workflowId: name, name, steps: [] })).status).toBe(201)
      await saveWords(place, 'workflow', name, 'de', { name })
    }
    const folder = makeFolder()
    const inside = join(folder, 'content')
    await run(door, env, 'pull', inside)
    expect(readdirSync(folder)).toEqual(['content'])
    const files = Object.keys(filesIn(inside))
    expect(files.length).toBe(2 * names.length)
    expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(files.length)
    expect((await run(door, env, 'diff', inside)).code).toBe(0)
    const other = await h.environment()
    expect((await run(door, other, 'apply', inside)).last).toBe(`${2 * names.length} created, 0 changed, 0 unchanged.`)
    expect((await run(door, env, 'pull', inside)).last).toBe(`0 written, ${2 * names.length} unchanged, 0 deleted.`)
  })
})

describe('a hostile server', () => {
  test.each([
    [{ resourceType: '../../up', resourceId: 'a', locale: 'de', content: {} }],
    [{ resourceType: 'workflow', resourceId: 'a', locale: '../../../up', content: {} }],
    [{ workflowId: 7 }],
    [7],
  ])('that names %j writes nothing', async (resource) => {
    const server = createServer((_, reply) => {
      reply.setHeader('content-type', 'application/json').end(JSON.stringify({ resources: [resource] }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const folder = makeFolder()
    const pulled = runProgram(['pull', folder, '--url', `http://127.0.0.1:${port}`, '--key', 'k'], {
      settings: noSettings,
      print() {},
    })
    await expect(pulled).rejects.toThrow('does not know')
    expect(readdirSync(folder)).toEqual([])
    server.close()
  })
})

describe('over HTTP', () => {
  test('what is wrong with address or key is said in a sentence', async () => {
    const env = await h.environment()
    const folder = makeFolder()
    const pull = (...args: string[]) => runProgram(['pull', folder, ...args], { settings: noSettings, print() {} })
    await expect(pull('--url', 'notify')).rejects.toThrow('The URL must begin with http')
    await expect(pull('--url', h.url)).rejects.toThrow('TIDINGS_API_KEY')
    await expect(pull('--url', h.url, '--key', 'wrong')).rejects.toThrow(/answers 401/)
    await expect(pull('--url', 'http://127.0.0.1:1', '--key', env.key)).rejects.toThrow(/cannot be reached/)
    await expect(pull('--url', h.url, '--key', env.key, '--environment', 'other')).rejects.toThrow(/answers 403/)
  })

  test('with a key that reaches the organization, another environment by its slug', async () => {
    const env = await h.environment()
    await sql`update api_key set reach = 'organization' where environment_id = ${env.environmentId}`.execute(h.admin)
    await env.post('/v1/environments', { name: 'Production', color: '#000000' })
    const folder = makeFolder()
    writeFileSync(join(folder, 'a.yaml'), 'workflowId: a\nname: A\nsteps: []\n')
    const said: string[] = []
    const where = ['--url', h.url, '--key', env.key, '--environment', 'production']
    expect(
      await runProgram(['apply', folder, ...where], { settings: noSettings, print: (line) => said.push(line) }),
    ).toBe(0)
    expect((await env.get('/v2/workflows')).body.totalCount).toBe(0)
    expect((await env.get('/v2/workflows', undefined, { 'tidings-environment': 'production' })).body.totalCount).toBe(1)
    expect(said.at(-1)).toBe('1 created, 0 changed, 0 unchanged.')
  })
})

describe('names of files', () => {
  const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((text) => text.isWellFormed())

  test('are read back, differ without regard to case, and lead nowhere else', () => {
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 10 }), (names) => {
        const taken = new Set<string>()
        const files = names.map((it) => fileName(it, taken))
        expect(files.map(nameInFile)).toEqual(names)
        expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(names.length)
        for (const file of files) expect(file).toMatch(/^[%\w][%\w.-]*$/)
      }),
    )
  })
})

test('whatever a text holds, YAML keeps it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.jsonValue(), (text, value) => {
      const given = { body: text.toWellFormed(), more: `${text.toWellFormed()}\n\n`, value }
      const written = stringify(given, { lineWidth: 0 })
      expect(JSON.parse(JSON.stringify(parseYaml(written)))).toEqual(JSON.parse(JSON.stringify(given)))
    }),
    { numRuns: 500 },
  )
})
