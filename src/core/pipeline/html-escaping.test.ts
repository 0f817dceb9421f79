import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type Client, useHarness } from '../../../test/harness.ts'

const h = useHarness({}, { worker: true })
const evil = '<b>x</b><script>alert(1)</script>'
const escaped = '&lt;b&gt;x&lt;/b&gt;&lt;script&gt;alert(1)&lt;/script&gt;'
const stripped = '<b>x</b> '

const mail = (body: string, more: object = {}) => ({
  stepId: 'mail',
  name: 'Mail',
  type: 'email',
  controlValues: { subject: 'S {{payload.x}}', body, preheader: 'P {{payload.x}}', ...more },
})

async function makeMail(body: string, more: object = {}): Promise<Client> {
  const env = await h.environment()
  const integration = { providerId: 'platform-email', channel: 'email', active: true, check: false }
  expect((await env.post('/v1/integrations', integration)).status).toBe(201)
  const steps = [mail(body, more), { name: 'Inbox', type: 'in_app', controlValues: { body: 'I {{payload.x}}' } }]
  expect((await env.post('/v2/workflows', { workflowId: 'hello', name: 'Hello', steps })).status).toBe(201)
  return env
}

async function sent(env: Client, payload: object = { x: evil }) {
  const event = { name: 'hello', to: { subscriberId: 'ada', email: 'ada@example.com' }, payload }
  expect((await env.post('/v1/events/trigger', event)).body.status).toBe('processed')
  await h.drain()
  const rows = await h.admin
    .selectFrom('message')
    .select(['channel', 'subject', 'content', 'workflow_version'])
    .where('environment_id', '=', env.environmentId)
    .orderBy('id', 'desc')
    .execute()
  return { mail: rows.find((row) => row.channel === 'email'), inApp: rows.find((row) => row.channel === 'in_app') }
}

async function shown(env: Client, body: object = {}): Promise<string> {
  const previewPayload = { payload: { x: evil } }
  const reply = await env.post('/v2/workflows/hello/step/mail/preview', { previewPayload, ...body })
  return reply.body.result.preview.body
}

describe('values in the HTML of an e-mail', () => {
  test.each<[source: string, more: object, html: string]>([
    ['<p>{{payload.x}}</p>', {}, `<p>${escaped}</p>`],
    ['<p>{{ payload.x | default: "y" }}</p>', {}, `<p>${escaped}</p>`],
    ['<p>{{ payload.x | raw }}</p>', {}, `<p>${stripped}</p>`],
    ['<p>{{payload.x}}</p>', { disableOutputSanitization: true }, `<p>${evil}</p>`],
    ['<p>{{ payload.x | raw }}</p>', { disableOutputSanitization: true }, `<p>${evil}</p>`],
  ])('%s %j', async (body, more, html) => {
    const env = await makeMail(body, more)
    const { mail, inApp } = await sent(env)
    expect(mail).toMatchObject({ subject: `S ${evil}`, content: html })
    // No HTML there: the stock component shows text.
    expect(inApp?.content).toBe(`I ${evil}`)
    expect(await shown(env)).toBe(html)
    expect((await env.get('/v2/workflows/hello')).body.steps[0].controls.values).toMatchObject(more)
  })

  const inTags = '<a href="{{payload.j}}">a</a><a href={{payload.u}}>b</a><script>var s = "{{payload.s}}"</script>'
  const values = { j: 'javascript:alert(1)', u: 'x onmouseover=alert(1)', s: '\\u0022;alert(1)//' }

  test('a value inside a tag becomes no handler, no script address and no attribute; one in a script goes with it', async () => {
    const env = await makeMail(inTags)
    const { mail } = await sent(env, values)
    expect(mail?.content).toBe('<a >a</a><a href=x&#32;onmouseover&#61;alert(1)>b</a> ')
    expect(await shown(env, { previewPayload: { payload: values } })).toBe(mail?.content)
  })

  test('a version saved before that was so renders as before, until something in the workflow is replaced', async () => {
    const env = await makeMail('<p>{{payload.x}}</p>')
    await sql`update workflow_version set definition = definition - 'escapesHtml'
      where environment_id = ${env.environmentId}`.execute(h.admin)
    expect((await sent(env)).mail?.content).toBe(`<p>${evil}</p>`)
    expect(await shown(env)).toBe(`<p>${evil}</p>`)
    // As it would be saved.
    expect(await shown(env, { controlValues: mail('<p>{{payload.x}}</p>').controlValues })).toBe(`<p>${escaped}</p>`)

    const { body: before } = await env.get('/v2/workflows/hello')
    const same = await env.put('/v2/workflows/hello', { ...before, preferences: null })
    expect(same.body.version).toBe(1)
    expect((await env.patch('/v2/workflows/hello', { name: 'Renamed' })).body.version).toBe(2)
    expect((await sent(env)).mail).toMatchObject({ content: `<p>${evil}</p>`, workflow_version: 2 })

    expect((await env.put('/v2/workflows/hello', { ...before, preferences: null, name: 'New' })).body.version).toBe(3)
    expect((await sent(env)).mail).toMatchObject({ content: `<p>${escaped}</p>`, workflow_version: 3 })
  })
})
