import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { type Client, useHarness } from '../../../test/harness.ts'
import { currentEdition, findHeads } from '../../store/wording/editions.ts'

const h = useHarness({}, { worker: true })
afterEach(() => {
  h.ctx.clock = () => new Date()
})

const email = (body: string) => ({ email: { body, editorType: 'html' } })
const mail = (body: string, more: object = {}) => ({
  name: 'Mail',
  type: 'email',
  controlValues: { subject: 'S', body, ...more },
})
const wait = { name: 'Wait', type: 'delay', controlValues: { amount: 10, unit: 'minutes' } }

async function environment(): Promise<Client> {
  const env = await h.environment()
  const integration = { providerId: 'platform-email', channel: 'email', active: true, check: false }
  expect((await env.post('/v1/integrations', integration)).status).toBe(201)
  return env
}

async function workflow(env: Client, workflowId: string, ...steps: object[]): Promise<void> {
  const made = await env.post('/v2/workflows', { workflowId, name: workflowId, steps })
  expect(made.status, made.text).toBe(201)
}

async function layout(env: Client, layoutId: string, body: string, more: object = {}): Promise<void> {
  const known = (await env.get(`/v2/layouts/${layoutId}`)).status === 200
  const input = { name: layoutId, controlValues: email(body), ...more }
  const saved = await (known
    ? env.put(`/v2/layouts/${layoutId}`, input)
    : env.post('/v2/layouts', { layoutId, ...input }))
  expect(saved.status, saved.text).toBeLessThan(300)
}

async function trigger(env: Client, name: string, payload: object = {}): Promise<string> {
  const event = { name, to: { subscriberId: 'ada', email: 'ada@example.com', firstName: 'Ada' }, payload }
  const { body } = await env.post('/v1/events/trigger', event)
  expect(body.status).toBe('processed')
  return body.transactionId
}

async function mails(env: Client, transactionId: string): Promise<string[]> {
  await h.drain()
  const { body } = await env.get(`/v1/messages?transactionId=${transactionId}&limit=100`)
  // Those of one page have the same time: in the order of their bodies.
  const texts: string[] = body.data.map((it: { content: string }) => it.content)
  return texts.toSorted((a, b) => (a.at(-1) ?? '').localeCompare(b.at(-1) ?? ''))
}

async function sent(env: Client, name: string, payload: object = {}): Promise<string | undefined> {
  return (await mails(env, await trigger(env, name, payload)))[0]
}

describe('which layout an e-mail stands in', () => {
  test('the one its step names, the default, or none', async () => {
    const env = await environment()
    await workflow(env, 'plain', mail('<p>{{payload.x}}</p>'))
    expect(await sent(env, 'plain', { x: 1 })).toBe('<p>1</p>')
    await layout(env, 'a', 'A {{subscriber.firstName}} {{content}}')
    await layout(env, 'b', 'B {{payload.x}} {{content}}', { isDefault: true })
    const other = { filters: [{ children: [{ on: 'payload', field: 'x', operator: 'EQUAL', value: 'v' }] }] }
    const variants = [{ ...other, controlValues: { subject: 'S', body: 'V', layoutId: null } }]
    await workflow(env, 'named', { ...mail('N', { layoutId: 'a' }), variants })
    await workflow(env, 'none', mail('<p>none</p>', { layoutId: null }))
    await workflow(env, 'sms', { name: 'In-app', type: 'in_app', controlValues: { body: 'in-app' } })
    expect(await sent(env, 'plain', { x: '<' })).toBe('B &lt; <p>&lt;</p>')
    expect(await sent(env, 'named')).toBe('A Ada N')
    expect(await sent(env, 'named', { x: 'v' })).toBe('V')
    expect(await sent(env, 'none')).toBe('<p>none</p>')
    expect(await sent(env, 'sms')).toBe('in-app')
  })

  test('a whole page takes no default, but what it names', async () => {
    const env = await environment()
    await layout(env, 'a', 'A {{content}}', { isDefault: true })
    const page = '<html><head><style>p{}</style></head><body><p>P</p></body></html>'
    await workflow(env, 'page', mail(page))
    await workflow(env, 'named', mail(page, { layoutId: 'a' }))
    expect(await sent(env, 'page')).toBe(page)
    expect(await sent(env, 'named')).toBe('<style>p{}</style>A <p>P</p>')
  })

  test('versions from before values were escaped go out as they always did', async () => {
    const env = await environment()
    await layout(env, 'a', 'A {{content}}', { isDefault: true })
    await workflow(env, 'old', mail('<p>{{payload.x}}</p>'))
    await sql`update workflow_version set definition = definition - 'escapesHtml'
      where environment_id = ${env.environmentId}`.execute(h.admin)
    expect(await sent(env, 'old', { x: '<b>' })).toBe('<p><b></p>')
  })

  test('where a step says that values are put in as they are, they are in its layout, too', async () => {
    const env = await environment()
    await layout(env, 'a', 'A {{payload.x}} {{content}}', { isDefault: true })
    await workflow(env, 'raw', mail('{{payload.x}}', { disableOutputSanitization: true }))
    expect(await sent(env, 'raw', { x: '<b>' })).toBe('A <b> <b>')
  })

  test('blocks in blocks, and versions of 0.13 that know only the whole page', async () => {
    const env = await environment()
    const variable = (id: string) => ({ type: 'variable', attrs: { id } })
    const documentOf = (...ids: string[]) =>
      JSON.stringify({ type: 'doc', content: ids.map((id) => ({ type: 'paragraph', content: [variable(id)] })) })
    const body = documentOf('payload.head', 'content', 'payload.foot')
    const controlValues = { email: { body, editorType: 'block' } }
    await env.post('/v2/layouts', { layoutId: 'a', name: 'A', isDefault: true, controlValues })
    await workflow(env, 'blocks', mail(documentOf('payload.body'), { editorType: 'block' }))
    await workflow(env, 'old', mail(documentOf('payload.body'), { editorType: 'block' }))
    await sql`update workflow_version set definition = definition #- '{steps,0,compiled,inner}'
      where environment_id = ${env.environmentId} and workflow_id in (select id from workflow where identifier = 'old')`.execute(
      h.admin,
    )
    const html = await sent(env, 'blocks', { head: 'H', body: 'B', foot: 'F' })
    expect(html?.match(/<html/g)).toHaveLength(1)
    expect(html).toMatch(/>H<\/p><p [^>]*>B<\/p><p [^>]*>F<\/p>/)
    expect(await sent(env, 'old', { head: 'H', body: 'B', foot: 'F' })).toBe(html)
  })

  test('a body and a layout that are as large as each may be go out together', async () => {
    const env = await environment()
    const large = (mark: string) => `${mark}{{payload.x}}${'x'.repeat(63 * 1024)}`
    await layout(env, 'a', `${large('L')}{{content}}`, { isDefault: true })
    await workflow(env, 'large', mail(large('B')))
    const html = await sent(env, 'large', { x: 7 })
    expect(html).toBe(`${large('L')}${large('B')}`.replaceAll('{{payload.x}}', '7'))
  })
})

describe('what runs goes on with what it began with', () => {
  const goOn = async (env: Client, transactionId: string, count: number) => {
    h.ctx.clock = () => new Date(Date.now() + 11 * 60_000)
    for (let n = 0; n < 400; n++) {
      const found = await mails(env, transactionId)
      if (found.length === count) return found
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
    throw new Error('it did not come')
  }

  test('the layout is changed, another one becomes the default, and the one it names is deleted', async () => {
    const env = await environment()
    await layout(env, 'named', 'N1 {{content}}')
    await layout(env, 'first', 'F1 {{content}}', { isDefault: true })
    await workflow(env, 'hello', mail('a', { layoutId: 'named' }), wait, mail('b', { layoutId: 'named' }), mail('c'))
    const before = await trigger(env, 'hello')
    expect(await mails(env, before)).toEqual(['N1 a'])

    await layout(env, 'named', 'N2 {{content}}')
    await layout(env, 'first', 'F2 {{content}}')
    await layout(env, 'second', 'S1 {{content}}', { isDefault: true })
    const between = await trigger(env, 'hello')

    const steps = [mail('a'), wait, mail('b', { layoutId: null }), mail('c', { layoutId: 'first' })]
    expect((await env.put('/v2/workflows/hello', { name: 'hello', steps })).status).toBe(200)
    expect((await env.delete('/v2/layouts/named')).status).toBe(204)
    const after = await trigger(env, 'hello')
    await layout(env, 'named', 'N3 {{content}}', { isDefault: true })

    expect(await goOn(env, before, 3)).toEqual(['N1 a', 'N1 b', 'F1 c'])
    expect(await goOn(env, between, 3)).toEqual(['N2 a', 'N2 b', 'S1 c'])
    expect(await goOn(env, after, 3)).toEqual(['S1 a', 'b', 'F2 c'])
    // What was sent stays what it was.
    expect((await mails(env, before))[0]).toBe('N1 a')
  })

  test('an event from before there was any has none', async () => {
    const env = await environment()
    await workflow(env, 'hello', wait, mail('b'))
    const before = await trigger(env, 'hello')
    await layout(env, 'a', 'A {{content}}', { isDefault: true })
    expect(await goOn(env, before, 1)).toEqual(['b'])
  })

  test('many changes while many events come: each has the layout of its edition', async () => {
    const env = await environment()
    await workflow(env, 'hello', mail('b'))
    await layout(env, 'a', '0 {{content}}', { isDefault: true })
    const changes = (async () => {
      for (let n = 1; n <= 15; n++) await layout(env, 'a', `${n} {{content}}`)
    })()
    const ids = await Promise.all(Array.from({ length: 40 }, async () => trigger(env, 'hello')))
    await changes
    await h.drain()
    const { rows } = await sql<{ edition: number; content: string }>`
      select e.edition, m.content from message m join event e
        on e.environment_id = m.environment_id and e.transaction_id = m.transaction_id
      where m.environment_id = ${env.environmentId}`.execute(h.admin)
    expect(rows).toHaveLength(ids.length)
    // The first edition made it.
    for (const { edition, content } of rows) expect(content).toBe(`${edition - 1} b`)
  })
})

test('what was in force in each edition is found, and what was deleted is not', async () => {
  const env = await environment()
  await layout(env, 'a', '1 {{content}}', { isDefault: true })
  await layout(env, 'b', '2 {{content}}')
  await layout(env, 'b', '3 {{content}}', { isDefault: true })
  await env.delete('/v2/layouts/a')
  const at = { environmentId: env.environmentId, organizationId: env.organizationId, keyId: '' }
  const heads = await findHeads(h.admin, at, [1, 2, 3, 4, 5])
  const shown = heads
    .toSorted((a, b) => a.number - b.number)
    .map(({ number, layouts }) => {
      const words = layouts.map((it) => `${it.identifier}${it.edition}${it.isDefault ? '*' : ''}`)
      return `${number}: ${words.sort().join(' ')}`
    })
  expect(shown).toEqual(['1: a1*', '2: a1* b2', '3: a3 b3*', '4: b3*'])
  expect((await currentEdition(h.admin, at))?.number).toBe(4)
})

describe('the words of a mail in its layout', () => {
  test('are each from their own translations, in the language of the reader, also when the key is the same', async () => {
    const env = await environment()
    await layout(env, 'brand', '<h1>{{t.title}}</h1>{{content}}<i>{{t.footer}}</i>')
    await workflow(env, 'paid', mail('<p>{{t.title}}: {{t.count}}</p>', { layoutId: 'brand' }))
    const say = async (resourceType: string, resourceId: string, locale: string, content: object) => {
      const saved = await env.post('/v2/translations', { resourceType, resourceId, locale, content })
      expect(saved.status, saved.text).toBeLessThan(300)
    }
    const count = (one: string, other: string) => `{n, plural, one {# ${one}} other {# ${other}}}`
    await say('layout', 'brand', 'en_US', { title: 'Acme & Co', footer: 'Bye, {{subscriber.firstName}}' })
    await say('layout', 'brand', 'de', { title: 'Acme auf Deutsch' })
    await say('workflow', 'paid', 'en_US', { title: 'Paid', count: count('item', 'items') })
    await say('workflow', 'paid', 'de_AT', { title: 'Bezahlt', count: count('Stück', 'Stücke') })
    const of = async (locale: string, n: number) => {
      const to = { subscriberId: `a-${locale}`, email: 'a@example.com', firstName: 'A<b>', locale }
      const { body } = await env.post('/v1/events/trigger', { name: 'paid', to, payload: { n } })
      return (await mails(env, body.transactionId))[0]
    }
    expect(await of('de-AT', 1)).toBe('<h1>Acme auf Deutsch</h1><p>Bezahlt: 1 Stück</p><i>Bye, A&lt;b&gt;</i>')
    expect(await of('en-GB', 1200)).toBe('<h1>Acme &amp; Co</h1><p>Paid: 1,200 items</p><i>Bye, A&lt;b&gt;</i>')
    await env.put('/v2/workflows/paid', { name: 'paid', steps: [mail('x')] })
    expect((await env.delete('/v2/layouts/brand')).status).toBe(204)
    const { rows } = await sql<{ locale: string; gone: boolean }>`
      select distinct on (locale) locale, content is null as gone from translation
      where environment_id = ${env.environmentId} and resource_type = 'layout' order by locale, edition desc`.execute(
      h.admin,
    )
    expect(rows).toEqual([
      { locale: 'de', gone: true },
      { locale: 'en-US', gone: true },
    ])
  })
})

test('a whole page that takes no default is not warned of the words of that layout', async () => {
  const env = await environment()
  await layout(env, 'brand', '{{t.footer}}{{content}}', { isDefault: true })
  const preview = async (body: string) => {
    const step = { type: 'email', controlValues: { subject: 'S', body } }
    return (await env.post('/v2/workflows/preview', { step })).body.result.warnings
  }
  expect(await preview('<html><body>Hi</body></html>')).toBeUndefined()
  expect(await preview('<p>Hi</p>')).toMatchObject([{ message: expect.stringMatching(/^t\.footer is not translated/) }])
})
