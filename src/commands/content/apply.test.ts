import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { type Client, testConfig, useHarness } from '../../../test/harness.ts'
import { runProgram } from '../cli/run-program.ts'

const h = useHarness()
const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

function folderOf(files: Record<string, unknown>): string {
  const folder = mkdtempSync(join(tmpdir(), 'tidings-apply-'))
  folders.push(folder)
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return folder
}

async function apply(env: Client, files: Record<string, unknown>): Promise<string[]> {
  const said: string[] = []
  const config = testConfig({ DATABASE_URL: h.databaseUrl, DATABASE_POOL_SIZE: '2' })
  await runProgram(['apply', folderOf(files), '--environment', env.environmentId], {
    settings: () => config,
    print: (line) => said.push(line),
  })
  return said
}

const hello = `
workflowId: hello
name: Hello
tags: [greetings]
steps:
  - stepId: in-app
    name: In-app
    type: in_app
    controlValues:
      body: Hello {{subscriber.firstName}}
`
const order = {
  workflowId: 'order',
  name: 'Order',
  steps: [{ stepId: 'sms', name: 'SMS', type: 'sms', controlValues: { body: 'B' } }],
}

describe('translations beside the workflows', () => {
  const place = 'translations/workflows/order'

  test('are applied with them, and only what changed', async () => {
    const env = await h.environment()
    const files = { 'order.json': order, [`${place}/de_AT.json`]: { a: 'x' }, [`${place}/en.json`]: { a: 'y' } }
    expect(await apply(env, files)).toEqual([
      'created    order  (order.json)',
      `created    order de_AT  (${place}/de_AT.json)`,
      `created    order en  (${place}/en.json)`,
      '3 created, 0 changed, 0 unchanged.',
    ])
    expect(await apply(env, { ...files, [`${place}/en.json`]: { a: 'z' } })).toContain(
      `changed    order en  (${place}/en.json)`,
    )
    expect((await env.get('/v2/translations/workflow/order/en')).body.content).toEqual({ a: 'z' })
  })

  test('with a fault nothing is applied', async () => {
    const env = await h.environment()
    const files = {
      'order.json': order,
      [`${place}/de.json`]: { a: '{' },
      [`${place}/xx.json`]: {},
      [`${place}/it.json`]: '{',
      'translations/layouts/none/de.json': {},
    }
    await expect(apply(env, files)).rejects.toThrow(/it\.json.*\n.*xx\.json/)
    const { [`${place}/xx.json`]: _name, [`${place}/it.json`]: _json, ...rest } = files
    await expect(apply(env, rest)).rejects.toThrow(/de\.json: content\.a .*\n.*there is no layout none/)
    expect((await env.get('/v2/workflows/order')).status).toBe(404)
  })
})

describe('apply <folder>', () => {
  test('creates, then changes nothing, then says what changed', async () => {
    const env = await h.environment()
    expect(await apply(env, { 'hello.yaml': hello, 'order.json': order, 'notes.txt': 'not a workflow' })).toEqual([
      'created    hello  (hello.yaml)',
      'created    order  (order.json)',
      '2 created, 0 changed, 0 unchanged.',
    ])
    expect(await apply(env, { 'hello.yml': hello, 'order.json': order })).toEqual([
      'unchanged  hello  (hello.yml)',
      'unchanged  order  (order.json)',
      '0 created, 0 changed, 2 unchanged.',
    ])
    const changed = {
      ...order,
      name: 'Order sent',
      active: false,
      steps: [
        { ...order.steps[0], controlValues: { body: 'C' } },
        { stepId: 'chat', name: 'Chat', type: 'chat', controlValues: { body: 'D' } },
      ],
    }
    expect(await apply(env, { 'order.json': changed, 'hello.yaml': hello.replace('in-app', 'bell') })).toEqual([
      'changed    hello: + step bell, - step in-app  (hello.yaml)',
      'changed    order: name, active, step sms, + step chat  (order.json)',
      '0 created, 2 changed, 0 unchanged.',
    ])
    expect((await env.get('/v2/workflows/order')).body).toMatchObject({ name: 'Order sent', active: false, version: 2 })
    const reversed = { ...changed, steps: changed.steps.toReversed() }
    expect((await apply(env, { 'order.json': reversed }))[0]).toBe('changed    order: order of the steps  (order.json)')
  })

  test('keeps everything a file can print, and sees what it no longer says', async () => {
    const env = await h.environment()
    const step = {
      ...order.steps[0],
      variants: [{ name: 'V', filters: [], controlValues: { body: 'W' } }],
      replyCallback: { active: false },
    }
    const after = { stepId: 'chat', name: 'Chat', type: 'chat', controlValues: { body: 'D' } }
    const steps = [step, { ...after, when: { stepId: 'sms', is: 'failed' } }]
    const full = { ...order, ttl: { amount: 1, unit: 'hours' }, steps }
    await apply(env, { 'order.json': full })
    expect((await apply(env, { 'order.json': full })).at(-1)).toBe('0 created, 0 changed, 1 unchanged.')
    const { body } = await env.get('/v2/workflows/order')
    expect(body).toMatchObject({ ttl: full.ttl, steps })
    expect((await apply(env, { 'order.json': body })).at(-1)).toBe('0 created, 0 changed, 1 unchanged.')
    const less = { ...order, steps: [step, after] }
    expect((await apply(env, { 'order.json': less }))[0]).toBe('changed    order: ttl, step chat  (order.json)')
  })

  test('takes the example of the documentation', async () => {
    const env = await h.environment()
    const page = readFileSync(join(import.meta.dirname, '../../../docs/workflows.md'), 'utf8')
    const example = /```yaml\n(.*?)```/s.exec(page)?.[1] ?? ''
    expect((await apply(env, { 'order-shipped.yaml': example })).at(-1)).toBe('1 created, 0 changed, 0 unchanged.')
  })

  test('a workflow switched off by hand stays off when its file does not say', async () => {
    const env = await h.environment()
    await apply(env, { 'order.json': order })
    await env.patch('/v2/workflows/order', { active: false })
    expect((await apply(env, { 'order.json': order })).at(-1)).toBe('0 created, 0 changed, 1 unchanged.')
  })

  test('one faulty file: every fault is named by file and field, and nothing is applied', async () => {
    const env = await h.environment()
    await apply(env, { 'order.json': order })
    const refused = apply(env, {
      'a-hello.yaml': hello,
      'b-order.json': { ...order, name: 'Changed' },
      'c-broken.yaml': 'name: [',
      'd-bad.yaml': 'workflowId: bad\nname: Bad\nsteps: [{name: A, type: sms, controlValues: {body: "{{"}}]',
      'e-twice.yaml': hello,
      'f-shape.json': { workflowId: 'shape', steps: 'none' },
      'g-when.json': {
        workflowId: 'when',
        name: 'W',
        steps: [{ name: 'A', type: 'sms', controlValues: { body: 'B' }, when: { stepId: 'b', is: 'sent' } }],
      },
      'h-proto.json': '{"__proto__": {"a": 1}}',
      'i-empty.yaml': '',
    })
    await expect(refused).rejects.toThrow(/^Nothing was applied:/)
    const message = await refused.catch((error: Error) => error.message)
    for (const fault of [
      /c-broken\.yaml: .* at line 1, column \d+\n/,
      /d-bad\.yaml: steps\.0\.controlValues\.body is not a valid template/,
      /e-twice\.yaml: workflowId "hello" is that of a-hello\.yaml too/,
      /f-shape\.json: name is required/,
      /f-shape\.json: steps must be array/,
      /g-when\.json: steps\.0\.when\.stepId must be the stepId of an earlier step/,
      /h-proto\.json: .*__proto__/,
      /i-empty\.yaml: must be an object/,
    ]) {
      expect(message).toMatch(fault)
    }
    expect((await env.get('/v2/workflows')).body).toMatchObject({ totalCount: 1, data: [{ name: 'Order' }] })
  })

  test('says how it is called, and what is missing', async () => {
    const config = testConfig({ DATABASE_URL: h.databaseUrl, DATABASE_POOL_SIZE: '2' })
    const run = (...args: string[]) => runProgram(['apply', ...args], { settings: () => config, print() {} })
    await expect(run()).rejects.toThrow(/Missing required argument 'folder'\n.*tidings apply --help/)
    await expect(run(folderOf({}))).rejects.toThrow('There is no .yaml, .yml or .json file')
    await expect(run(folderOf({ 'a.yaml': hello }), '--environment', 'none')).rejects.toThrow('There is no environment')
    await expect(run('/nowhere/at/all')).rejects.toThrow('There is no folder /nowhere/at/all.')
  })
})

test('a mail of blocks may stand in a file as it is, and what of it is not sent is told', async () => {
  const env = await h.environment()
  const file = `
workflowId: hello
name: Hello
steps:
  - stepId: mail
    name: Mail
    type: email
    controlValues:
      subject: Hello
      editorType: block
      body:
        type: doc
        content:
          - type: poll
          - type: paragraph
            content: [{ type: text, text: 'Hello {{subscriber.firstName}}' }]
`
  const warning = 'warning    hello: step mail: blocks of the type "poll" are not known: nothing of them is sent'
  expect(await apply(env, { 'hello.yaml': file })).toEqual([
    'created    hello  (hello.yaml)',
    warning,
    '1 created, 0 changed, 0 unchanged.',
  ])
  expect(await apply(env, { 'hello.yaml': file })).toContain('unchanged  hello  (hello.yaml)')
  const shown = await env.post('/v2/workflows/hello/step/mail/preview', {})
  expect(shown.body.result.preview.text).toBe('Hello Ada')
})

describe('layouts', () => {
  const mail = {
    workflowId: 'mail',
    name: 'Mail',
    steps: [{ stepId: 'm', name: 'M', type: 'email', controlValues: { subject: 'S', body: 'B', layoutId: 'brand' } }],
  }
  const brand = `
layoutId: brand
name: Brand
isDefault: true
controlValues:
  email:
    editorType: html
    body: <b>Acme</b>{{content}}
`

  test('are saved before the workflows that name them; the same again is no change', async () => {
    const env = await h.environment()
    const files = { 'a-mail.json': mail, 'layouts/brand.yaml': brand }
    expect(await apply(env, files)).toEqual([
      'created    layout brand  (layouts/brand.yaml)',
      'created    mail  (a-mail.json)',
      '2 created, 0 changed, 0 unchanged.',
    ])
    expect((await apply(env, files)).at(-1)).toBe('0 created, 0 changed, 2 unchanged.')
    expect((await env.get('/v2/layouts/brand')).body).toMatchObject({ isDefault: true, edition: 1 })
    const beside = { 'a-mail.json': mail, 'brand.yml': brand.replace('<b>', '<i>').replace('isDefault: true', '') }
    expect((await apply(env, beside))[0]).toBe('changed    layout brand: controlValues  (brand.yml)')
    expect((await env.get('/v2/layouts/brand')).body).toMatchObject({ isDefault: true, edition: 2 })
  })

  test('with a fault nothing is applied', async () => {
    const env = await h.environment()
    const files = {
      'mail.json': mail,
      'layouts/brand.yaml': brand.replace('{{content}}', ''),
      'layouts/other.yaml': brand.replace('brand', 'other'),
      'third.yaml': brand.replace('brand', 'third'),
    }
    await expect(apply(env, files)).rejects.toThrow(
      /third\.yaml: isDefault is that of layouts\/brand\.yaml too[\s\S]*brand\.yaml: controlValues\.email\.body has no place/,
    )
    expect((await env.get('/v2/layouts')).body.totalCount).toBe(0)
    await expect(apply(env, { 'mail.json': mail })).rejects.toThrow(
      'mail.json: steps.0.controlValues.layoutId names no layout',
    )
  })
})
