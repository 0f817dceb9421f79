import { Novu } from '@novu/api'
import { Novu as NewestNovu } from '@novu/api-newest'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type Client, useHarness } from '../../../test/harness.ts'

const h = useHarness({}, { worker: true })

const text = (words: string, ...marks: object[]) => ({ type: 'text', text: words, ...(marks.length > 0 && { marks }) })
const paragraph = (...content: object[]) => ({ type: 'paragraph', attrs: { textAlign: 'left' }, content })
const variable = (id: string, fallback: string | null = null) => ({ type: 'variable', attrs: { id, fallback } })
const documentOf = (...content: object[]) => JSON.stringify({ type: 'doc', content })

const greeting = documentOf(
  paragraph(text('Hello '), variable('subscriber.firstName', 'you'), text(', order '), variable('payload.order')),
  { type: 'button', attrs: { text: 'See it', url: 'https://shop.example/orders' } },
)

const mail = (body: unknown, more: object = {}) => ({
  stepId: 'mail',
  name: 'Mail',
  type: 'email',
  controlValues: { subject: 'Order', body, editorType: 'block', ...more },
})

async function withWorkflow(...steps: object[]): Promise<Client> {
  const env = await h.environment()
  const integration = { providerId: 'platform-email', channel: 'email', active: true, check: false }
  expect((await env.post('/v1/integrations', integration)).status).toBe(201)
  const made = await env.post('/v2/workflows', { workflowId: 'hello', name: 'Hello', steps })
  expect(made.status, made.text).toBe(201)
  return env
}

async function sent(env: Client, payload: object): Promise<string> {
  const event = { name: 'hello', to: { subscriberId: 'ada', email: 'ada@example.com' }, payload }
  expect((await env.post('/v1/events/trigger', event)).body.status).toBe('processed')
  await h.drain()
  const [row] = await h.admin
    .selectFrom('message')
    .select(['content'])
    .where('environment_id', '=', env.environmentId)
    .orderBy('id', 'desc')
    .execute()
  return row?.content ?? ''
}

describe('a step made of blocks', () => {
  test('goes out as HTML, not as its document', async () => {
    const env = await withWorkflow(mail(greeting))
    const html = await sent(env, { order: 'A<7' })
    expect(html).toContain('Hello you, order A&lt;7')
    expect(html).toContain('href="https://shop.example/orders"')
    expect(html).not.toContain('"type"')
  })

  test('its text part has lines, lists with dashes, and buttons with their address', async () => {
    const item = (words: string) => ({ type: 'listItem', content: [paragraph(text(words))] })
    const body = documentOf(
      paragraph(text('See '), text('the terms', { type: 'link', attrs: { href: 'https://shop.example/terms' } })),
      { type: 'bulletList', content: [item('One'), item('Two')] },
      { type: 'button', attrs: { text: 'Pay now', url: 'https://shop.example/pay' } },
    )
    const env = await h.environment()
    const reply = await env.post('/v2/workflows/preview', { step: mail(body) })
    expect(reply.body.result.preview.text.split('\n')).toEqual([
      'See the terms (https://shop.example/terms)',
      '- One',
      '- Two',
      'Pay now: https://shop.example/pay',
    ])
  })

  test('each variant goes out by its own document', async () => {
    const variants = [
      { filters: [{ children: [{ on: 'payload', field: 'order', operator: 'EQUAL', value: '1' }] }], ...valuesOf('A') },
      valuesOf('B'),
    ]
    const env = await withWorkflow({ ...mail(greeting), variants })
    expect(await sent(env, { order: '1' })).toContain('>A</p>')
    expect(await sent(env, { order: '2' })).toContain('>B</p>')
  })
})

const valuesOf = (words: string) => ({
  controlValues: { subject: 'S', editorType: 'block', body: documentOf(paragraph(text(words))) },
})
const stepOf = async (env: Client) => (await env.get('/v2/workflows/hello')).body.steps[0]

describe('what is kept', () => {
  test('the document is read back as it was written; an object as its text', async () => {
    const odd = ` {"type": "doc", "content": [ {"type":"paragraph"} ], "version": 7}`
    const env = await withWorkflow(mail(odd), { ...mail(JSON.parse(odd)), stepId: 'other' })
    const { steps } = (await env.get('/v2/workflows/hello')).body
    expect(steps[0].controlValues).toEqual({ subject: 'Order', body: odd, editorType: 'block' })
    expect(steps[0]).not.toHaveProperty('compiled')
    expect(steps[0]).not.toHaveProperty('issues')
    expect(JSON.parse(steps[1].controls.values.body)).toEqual(JSON.parse(odd))
  })

  test('a document without a word about the editor is taken for blocks, as older clients send it', async () => {
    const env = await withWorkflow(mail(greeting, { editorType: null }))
    expect((await stepOf(env)).controlValues.editorType).toBe('block')
    expect(await sent(env, {})).toContain('Hello you')
  })

  test('HTML under the name of blocks stays HTML: the published client says so of every body', async () => {
    const env = await withWorkflow(mail('<p>{{payload.order}}</p>'))
    expect(await sent(env, { order: 7 })).toBe('<p>7</p>')
  })

  test('saving the same again makes no version; another document does, and the old one stays as it was', async () => {
    const env = await withWorkflow(mail(greeting))
    const before = await versions(env)
    const save = (body: string) => env.put('/v2/workflows/hello', { name: 'Hello', steps: [mail(body)] })
    expect((await save(greeting)).body.version).toBe(1)
    expect((await save(documentOf(paragraph(text('New'))))).body.version).toBe(2)
    const [first, second] = await versions(env)
    expect(first).toEqual(before[0])
    expect(second).toMatchObject({ steps: [{ compiled: { html: expect.stringContaining('>New</p>'), warnings: [] } }] })
    expect((await env.patch('/v2/workflows/hello', { name: 'Other' })).body.version).toBe(3)
    expect(await sent(env, {})).toContain('>New</p>')
  })
})

async function versions(env: Client) {
  const query = h.admin.selectFrom('workflow_version').select('definition').orderBy('version')
  return (await query.where('environment_id', '=', env.environmentId).execute()).map((it) => it.definition)
}

describe('versions that were saved before blocks were compiled', () => {
  const forget = (env: Client, body: string) =>
    sql`update workflow_version set definition = jsonb_set(definition #- '{steps,0,compiled}',
      '{steps,0,controlValues,body}', ${JSON.stringify(body)}::jsonb) where environment_id = ${env.environmentId}`.execute(
      h.admin,
    )

  test('a document goes out as HTML', async () => {
    const env = await withWorkflow(mail(documentOf(paragraph(text('Then')))))
    await forget(env, greeting)
    expect(await sent(env, { order: 7 })).toContain('Hello you, order 7')
    expect((await env.post('/v2/workflows/hello/step/mail/preview', {})).body.result.preview.body).toContain(
      'Hello Ada',
    )
  })

  test('what is no document goes out as it did', async () => {
    const env = await withWorkflow(mail(greeting))
    await forget(env, '{"type":"page"}')
    expect(await sent(env, {})).toBe('{"type":"page"}')
  })
})

describe('what cannot be sent is refused, and says what to do', () => {
  const deep = (levels: number): object =>
    levels === 0 ? paragraph(text('x')) : { type: 'section', content: [deep(levels - 1)] }
  test.each([
    ['no JSON', '{"type":"doc"', 'not JSON'],
    ['another object', '{"a":1}', '"type": "doc"'],
    ['too deep', documentOf(deep(40)), 'more than 25 levels'],
    ['too many nodes', documentOf(...Array.from({ length: 2_001 }, () => ({ type: 'hardBreak' }))), '2000 nodes'],
    ['too large', documentOf(paragraph(text('x'.repeat(270_000)))), 'more than 256 KB'],
    ['a mail too large', documentOf(paragraph(text('x'.repeat(66_000)))), 'larger than 64 KB'],
    ['a node of another kind', documentOf({ no: 'type' }), 'no object with a "type"'],
    [
      'HTML that is no template',
      documentOf({ type: 'htmlCodeBlock', content: [text('{% for x in y %}')] }),
      'not a valid template',
    ],
  ])('%s', async (_what, body, why) => {
    const env = await h.environment()
    const reply = await env.post('/v2/workflows', { workflowId: 'w', name: 'W', steps: [mail(body)] })
    expect(reply.status).toBe(422)
    expect(reply.body.errors['steps.0.controlValues.body'].messages).toEqual([expect.stringContaining(why)])
    const shown = await env.post('/v2/workflows/preview', { step: mail(body) })
    expect(shown.body.result).toMatchObject({
      preview: { body: '' },
      errors: [{ field: 'body', message: expect.stringContaining(why) }],
    })
  })
})

describe('what is left out is told', () => {
  const partly = documentOf(
    { type: 'poll', content: [paragraph(text('Inside'))] },
    paragraph(variable('payload.x }}{% evil %}'), text('Bad', { type: 'link', attrs: { href: 'javascript:x()' } })),
  )
  const told = [
    { issueType: 'MISSING_VALUE', message: expect.stringContaining('"poll"'), severity: 'warning' },
    { issueType: 'ILLEGAL_VARIABLE_IN_CONTROL_VALUE', variableName: 'payload.x }}{% evil %}', severity: 'warning' },
    { issueType: 'MISSING_VALUE', message: expect.stringContaining('javascript:x()') },
  ]

  test('with the step, in its preview, and what remains is sent', async () => {
    const env = await withWorkflow({ ...mail(greeting), variants: [{ controlValues: mail(partly).controlValues }] })
    expect((await stepOf(env)).issues.controls).toMatchObject({ 'variants.0.body': told })
    const saved = await env.put('/v2/workflows/hello', { name: 'Hello', steps: [mail(partly)] })
    expect(saved.body.steps[0].issues.controls).toMatchObject({ body: told })
    expect(saved.body.status).toBe('ACTIVE')
    const html = await sent(env, { x: 'secret' })
    expect(html).toContain('>Inside</p>')
    expect(html).toContain('payload.x }}&#123;% evil %}Bad</p>')
    const shown = await env.post('/v2/workflows/hello/step/mail/preview', { controlValues: mail(partly).controlValues })
    expect(shown.body.result.warnings).toHaveLength(3)
    expect(shown.body.result.preview.body).toContain('>Inside</p>')
  })

  test.each([
    ['the published client', Novu],
    ['its newest version', NewestNovu],
  ])('%s reads it', async (_what, Client) => {
    const env = await withWorkflow(mail(partly))
    const { url } = await h.node({ VENDOR_NAMES: 'novu' })
    const novu = new Client({ secretKey: env.key, serverURL: url, retryConfig: { strategy: 'none' } })
    const { result } = await novu.workflows.get('hello')
    expect(result.steps[0]).toMatchObject({ issues: { controls: { body: [{ issueType: 'MISSING_VALUE' }, {}, {}] } } })
  })
})
