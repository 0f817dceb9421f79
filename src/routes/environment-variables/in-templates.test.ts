import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Client, useHarness } from '../../../test/harness.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'

const h = useHarness({}, { worker: true })
const path = '/v1/environment-variables'

let env: Client
beforeEach(async () => {
  env = await h.environment()
})

async function set(key: string, value: string, more: object = {}): Promise<void> {
  const values = [{ _environmentId: env.environmentId, value }]
  const known = (await env.get(`${path}/${key}`)).status === 200
  const saved = await (known ? env.patch(`${path}/${key}`, { values }) : env.post(path, { key, values, ...more }))
  expect(saved.status, saved.text).toBe(200)
}

async function sent(): Promise<void> {
  await trigger(env, { to: 'ada' })
  await h.drain()
}

async function shown(): Promise<string[]> {
  await h.drain()
  const { body } = await env.get('/v1/messages?limit=100')
  return body.data.map((message: { content: string }) => message.content).toReversed()
}

const inbox = (body: string) => [{ stepId: 'bell', name: 'Bell', type: 'in_app', controlValues: { body } }]
const useMailbox = () =>
  env.post('/v1/integrations', { providerId: 'platform-email', channel: 'email', active: true, check: false })

describe('{{env.KEY}}', () => {
  test.each(['{{\u000benv.W}}', '{{\nenv.W\n}}', '{% assign k = "W" %}{{env[k]}}'])(
    'is found however %j is written',
    async (body) => {
      await makeWorkflow(env, 'hello', { steps: inbox(body) })
      await set('W', 'value')
      await sent()
      expect(await shown()).toEqual(['value'])
    },
  )

  test('has the value of the environment; a change is seen by the next message; one that is unknown is empty', async () => {
    await makeWorkflow(env, 'hello', { steps: inbox('At {{env.BASE_URL}}/{{ env["BASE_URL"] | size }}{{env.NOPE}}') })
    await sent()
    await set('BASE_URL', 'https://a.example')
    await sent()
    await set('BASE_URL', 'https://b.example/x')
    await sent()
    await env.delete(`${path}/BASE_URL`)
    await sent()
    expect(await shown()).toEqual(['At /0', 'At https://a.example/17', 'At https://b.example/x/19', 'At /0'])
  })

  test('after a wait it is what it is then', async () => {
    const wait = { name: 'Wait', type: 'delay', controlValues: { amount: 2, unit: 'seconds' } }
    await makeWorkflow(env, 'hello', { steps: [wait, ...inbox('{{env.A}}')] })
    await set('A', 'before')
    await trigger(env, { to: 'ada' })
    await set('A', 'after')
    await expect.poll(shown, { timeout: 15_000 }).toEqual(['after'])
  })

  test('in a layout, a translation and a document of blocks, without a warning', async () => {
    await useMailbox()
    await set('SHOP', 'Tea & Co')
    const layout = { body: '<b>{{env.SHOP}}</b>{{content}}', editorType: 'html' }
    await env.post('/v2/layouts', { layoutId: 'brand', name: 'Brand' })
    await env.put('/v2/layouts/brand', { name: 'Brand', controlValues: { email: layout } })
    const text = { type: 'paragraph', content: [{ type: 'variable', attrs: { id: 'env.SHOP' } }] }
    const body = JSON.stringify({ type: 'doc', content: [text] })
    const controlValues = { subject: '{{t.subject}}', editorType: 'block', body, layoutId: 'brand' }
    const steps = [{ stepId: 'mail', name: 'Mail', type: 'email', controlValues }]
    await makeWorkflow(env, 'hello', { steps, isTranslationEnabled: true })
    const words = { resourceId: 'hello', resourceType: 'workflow', locale: 'en_US' }
    const made = await env.post('/v2/translations', { ...words, content: { subject: 'From {{env.SHOP}}' } })
    expect(made.status, made.text).toBe(200)
    expect((await env.get('/v2/workflows/hello')).body.steps[0].issues).toBeUndefined()
    await trigger(env, { to: { subscriberId: 'ada', email: 'ada@example.com' } })
    await h.drain()
    const { body: list } = await env.get('/v1/messages')
    expect(list.data[0]).toMatchObject({ subject: 'From Tea & Co' })
    expect(list.data[0].content).toMatch(/<b>Tea &amp; Co<\/b>.*Tea &amp; Co/s)
  })

  test('only in the layout, or only in a translation: they are read, too', async () => {
    await useMailbox()
    await set('SHOP', 'Tea')
    await env.post('/v2/layouts', { layoutId: 'brand', name: 'Brand' })
    const layout = { body: '<b>{{env.SHOP}}</b>{{content}}', editorType: 'html' }
    await env.put('/v2/layouts/brand', { name: 'Brand', controlValues: { email: layout } })
    const mail = { subject: 'S', editorType: 'html', body: '<p>Hello</p>', layoutId: 'brand' }
    await makeWorkflow(env, 'mail', { steps: [{ stepId: 'mail', name: 'Mail', type: 'email', controlValues: mail }] })
    await makeWorkflow(env, 'words', { steps: inbox('{{t.hi}}'), isTranslationEnabled: true })
    const words = { resourceId: 'words', resourceType: 'workflow', locale: 'en_US' }
    await env.post('/v2/translations', { ...words, content: { hi: 'Hi from {{env.SHOP}}' } })
    const to = { subscriberId: 'ada', email: 'ada@example.com' }
    await trigger(env, { name: 'mail', to })
    await trigger(env, { name: 'words', to })
    const texts = await shown()
    expect(texts.some((text) => text.includes('<b>Tea</b>'))).toBe(true)
    expect(texts).toContain('Hi from Tea')
  })

  test('a template that does not say env asks nothing of the table', async () => {
    await makeWorkflow(env, 'hello', { steps: inbox('Hello {{subscriber.firstName}}, the environment') })
    await sql`alter table environment_variable rename to variable_away`.execute(h.admin)
    try {
      expect((await trigger(env, { to: { subscriberId: 'ada', firstName: 'Ada' } })).status).toBe('processed')
      expect(await shown()).toEqual(['Hello Ada, the environment'])
    } finally {
      await sql`alter table variable_away rename to environment_variable`.execute(h.admin)
    }
  })

  test('the preview has it; a secret is masked there, and sent in full', async () => {
    await set('SHOP', 'Tea')
    await set('TOKEN', 'very-hidden', { isSecret: true })
    const body = '{{env.SHOP}} {{env.TOKEN}}'
    await makeWorkflow(env, 'hello', { steps: inbox(body) })
    const previews = [
      await env.post('/v2/workflows/hello/step/bell/preview', {}),
      await env.post('/v2/workflows/preview', { step: { type: 'in_app', controlValues: { body } } }),
    ]
    for (const preview of previews) {
      expect(preview.body.result.preview.body).toBe('Tea ••••••••')
      expect(preview.text).not.toContain('very-hidden')
    }
    const explained = await env.post('/v1/events/explain', { name: 'hello', to: 'ada' })
    expect(explained.body.recipients[0].steps).toMatchObject([{ outcome: 'send' }])
    expect(explained.text).not.toContain('very-hidden')
    await trigger(env, { to: 'ada' })
    expect(await shown()).toEqual(['Tea very-hidden'])
  })

  test('in a path of a step: a delay until the time that it says', async () => {
    const wait = { name: 'Wait', type: 'delay', controlValues: { type: 'scheduled', delayPath: 'env.LAUNCH' } }
    await makeWorkflow(env, 'hello', { steps: [wait, ...inbox('Now')] })
    const until = new Date(Date.now() + 3_600_000).toISOString()
    await set('LAUNCH', until)
    const explained = await env.post('/v1/events/explain', { name: 'hello', to: 'ada' })
    expect(explained.body.recipients, explained.text).toMatchObject([{ steps: [{ outcome: 'delay', until }, {}] }])
  })

  test('right behind a new line', async () => {
    await set('A', 'a')
    await makeWorkflow(env, 'hello', { steps: inbox('{{\nenv.A}}{% liquid\nassign b =\tenv.A\necho b %}') })
    expect((await env.get(`${path}/A/usage`)).body.workflows).toHaveLength(1)
    await trigger(env, { to: 'ada' })
    expect(await shown()).toEqual(['aa'])
  })

  test('names that JavaScript knows are values like others', async () => {
    await set('constructor', 'c')
    await set('toString', 't')
    await makeWorkflow(env, 'hello', {
      steps: inbox('{{env.constructor}}{{env.toString}}{{env.valueOf}}{{env.length | upcase}}'),
    })
    await trigger(env, { to: 'ada' })
    expect(await shown()).toEqual(['ct'])
  })
})
