import { afterEach, describe, expect, test } from 'vitest'
import { type Client, useHarness } from '../../../test/harness.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'

const h = useHarness({}, { worker: true })
const real = () => new Date()
afterEach(() => {
  h.ctx.clock = real
})
const later = (ms: number) => {
  h.ctx.clock = () => new Date(Date.now() + ms)
}
const minute = 60_000

const inbox = (body: string, more: object = {}) => ({ name: 'Inbox', type: 'in_app', controlValues: { body, ...more } })
const delay = { name: 'Wait', type: 'delay', controlValues: { amount: 10, unit: 'minutes' } }
const digest = { name: 'Gather', type: 'digest', controlValues: { amount: 10, unit: 'minutes' } }

const vienna = { subscriberId: 'vienna', firstName: 'Resi', locale: 'de_AT', timezone: 'Europe/Vienna' }
const newYork = { subscriberId: 'new-york', firstName: 'Joe', locale: 'en-US', timezone: 'America/New_York' }

async function save(env: Client, locale: string, content: object, resourceId = 'hello') {
  const reply = await env.post('/v2/translations', { resourceId, resourceType: 'workflow', locale, content })
  expect(reply.status).toBe(200)
  return reply.body
}

async function feedOf(env: Client, subscriberId: string): Promise<string[]> {
  const { body } = await env.get(`/v1/subscribers/${subscriberId}/notifications/feed`)
  return body.data.map((item: { content: string }) => item.content.replaceAll(/[\u00a0\u202f]/g, ' ')).reverse()
}

async function until(check: () => Promise<boolean>) {
  for (let n = 0; n < 400; n++) {
    await h.drain()
    if (await check()) return
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error('it did not come')
}

async function editionOf(env: Client): Promise<number> {
  const rows = await h.ctx.database.db
    .selectFrom('edition')
    .select('number')
    .where('environment_id', '=', env.environmentId)
    .execute()
  return Math.max(0, ...rows.map(({ number }) => number))
}

describe('each reader gets their own language', () => {
  test('by region, language, default; and the name of a key that nobody wrote', async () => {
    const env = await h.environment()
    await makeWorkflow(env, 'hello', { steps: [inbox('{{t.a}} {{t.b}} {{t.c}} {{t.d}}')] })
    await save(env, 'en_US', { a: 'a-us', b: 'b-us', c: 'c-us {{subscriber.firstName}}' })
    await save(env, 'de', { a: 'a-de', b: 'b-de' })
    await save(env, 'de-AT', { a: 'a-at' })
    const readers = [vienna, newYork, { subscriberId: 'berlin', locale: 'de' }, { subscriberId: 'nobody' }]
    for (const to of readers) await trigger(env, { to })
    await h.drain()
    expect(await feedOf(env, 'vienna')).toEqual(['a-at b-de c-us Resi d'])
    expect(await feedOf(env, 'berlin')).toEqual(['a-de b-de c-us  d'])
    expect(await feedOf(env, 'new-york')).toEqual(['a-us b-us c-us Joe d'])
    expect(await feedOf(env, 'nobody')).toEqual(['a-us b-us c-us  d'])
    await env.patch('/v1/environment', { defaultLocale: 'de' })
    await trigger(env, { to: { subscriberId: 'rome', locale: 'it' } })
    await h.drain()
    expect(await feedOf(env, 'rome')).toEqual(['a-de b-de c d'])
  })

  test('without any translations the names of the keys stand there', async () => {
    const env = await h.environment()
    await makeWorkflow(env, 'hello', { steps: [inbox('{{t.title}}!')] })
    await trigger(env, { to: 'ada' })
    await h.drain()
    expect(await feedOf(env, 'ada')).toEqual(['title!'])
  })

  test('a digest speaks the language of its reader, with their plurals, amounts and times', async () => {
    const env = await h.environment()
    const body =
      '{{t.count}}: {% for event in step.events %}{{ t.line | with: name: event.name, at: event.at, total: event.total }};{% endfor %}'
    await makeWorkflow(env, 'hello', { steps: [digest, inbox(body)] })
    await save(env, 'en', {
      count: '{eventCount, plural, one {# order} other {# orders}}',
      line: '{name} on {at, date, long} at {at, time}, {total, number, ::currency/EUR}',
    })
    await save(env, 'de', {
      count: '{eventCount, plural, one {# Bestellung} other {# Bestellungen}}',
      line: '{name} am {at, date, long} um {at, time}, {total, number, ::currency/EUR}',
    })
    const orders = [
      { name: 'Tea', at: '2026-03-14T23:30:00Z', total: 1999.5 },
      { name: 'Cup', at: '2026-03-15T12:00:00Z', total: 7 },
    ]
    for (const payload of orders) {
      await trigger(env, { to: [vienna, newYork], payload })
      // Else the second may be the first to be taken from the queue, and opens the digest.
      await h.drain()
    }
    await trigger(env, { to: { subscriberId: 'one', locale: 'de' }, payload: { ...orders[0], name: 'Brot' } })
    await h.drain()
    later(11 * minute)
    await until(async () => (await feedOf(env, 'new-york')).length + (await feedOf(env, 'vienna')).length === 2)
    expect(await feedOf(env, 'vienna')).toEqual([
      '2 Bestellungen: Tea am 15. März 2026 um 00:30, € 1.999,50;Cup am 15. März 2026 um 13:00, € 7,00;',
    ])
    expect(await feedOf(env, 'new-york')).toEqual([
      '2 orders: Tea on March 14, 2026 at 7:30 PM, €1,999.50;Cup on March 15, 2026 at 8:00 AM, €7.00;',
    ])
    await until(async () => (await feedOf(env, 'one')).length === 1)
    expect((await feedOf(env, 'one'))[0]).toContain('1 Bestellung: Brot am 14. März 2026')
  })
})

describe('editions', () => {
  test('what is under way keeps the words it began with; a new event gets the new ones', async () => {
    const env = await h.environment()
    await makeWorkflow(env, 'hello', { steps: [delay, inbox('{{t.a}}')] })
    await save(env, 'en', { a: 'old' })
    await trigger(env, { to: 'ada' })
    await h.drain()
    await save(env, 'en', { a: 'new' })
    await trigger(env, { to: 'bob' })
    await h.drain()
    expect((await env.delete('/v2/translations/workflow/hello/en')).status).toBe(204)
    await trigger(env, { to: 'eve' })
    await h.drain()
    later(11 * minute)
    await until(async () => (await feedOf(env, 'eve')).length === 1 && (await feedOf(env, 'ada')).length === 1)
    await until(async () => (await feedOf(env, 'bob')).length === 1)
    expect([await feedOf(env, 'ada'), await feedOf(env, 'bob'), await feedOf(env, 'eve')]).toEqual([
      ['old'],
      ['new'],
      ['a'],
    ])
  })

  test('every change is one, the same again is none', async () => {
    const env = await h.environment()
    await makeWorkflow(env)
    expect(await editionOf(env)).toBe(0)
    const first = await save(env, 'de_AT', { a: 'x', b: { c: 'y' } })
    expect(await editionOf(env)).toBe(1)
    expect(await save(env, 'de-AT', { b: { c: 'y' }, a: 'x' })).toEqual(first)
    expect(await editionOf(env)).toBe(1)
    const files = ['de', 'fr', 'it'].map((locale) => ({ name: `${locale}.json`, content: '{"a":"z"}' }))
    const resource = { resourceId: 'hello', resourceType: 'workflow' }
    await env.post('/v2/translations/upload', { ...resource, files })
    expect(await editionOf(env)).toBe(2)
    await env.post('/v2/translations/upload', { ...resource, files })
    expect(await editionOf(env)).toBe(2)
    await env.patch('/v1/environment', { defaultLocale: 'en_US' })
    expect(await editionOf(env)).toBe(2)
    await env.patch('/v1/environment', { defaultLocale: 'de' })
    expect(await editionOf(env)).toBe(3)
    await env.delete('/v2/translations/workflow/hello')
    expect(await editionOf(env)).toBe(4)
    expect((await env.delete('/v2/translations/workflow/hello')).status).toBe(404)
    await save(env, 'de', { a: 'z' })
    await env.delete('/v2/workflows/hello')
    expect(await editionOf(env)).toBe(6)
    await makeWorkflow(env)
    expect((await env.get('/v2/translations/group/workflow/hello')).status).toBe(404)
  })
})

test('languages that are saved at the same time are all kept', async () => {
  const env = await h.environment()
  await makeWorkflow(env)
  await makeWorkflow(env, 'other')
  const locales = ['de', 'fr', 'it', 'es', 'nl', 'pl', 'pt', 'sv']
  await Promise.all(
    locales.flatMap((locale) => [save(env, locale, { a: locale }), save(env, locale, { a: locale }, 'other')]),
  )
  expect((await env.get('/v2/translations/group/workflow/hello')).body.locales).toEqual(locales.toSorted())
  expect((await env.get('/v2/translations/group/workflow/other')).body.locales).toEqual(locales.toSorted())
  expect(await editionOf(env)).toBe(16)
})

test('a layout has translations of its own', async () => {
  const env = await h.environment()
  const controlValues = { email: { body: '{{t.foot}}{{content}}', editorType: 'html' } }
  expect((await env.post('/v2/layouts', { layoutId: 'frame', name: 'Frame', controlValues })).status).toBe(201)
  const words = { resourceId: 'frame', resourceType: 'layout', locale: 'de', content: { head: 'Kopf' } }
  expect((await env.post('/v2/translations', words)).body).toMatchObject(words)
  expect((await env.get('/v2/translations/group/layout/frame/missing')).body).toMatchObject({
    keys: ['foot'],
    locales: [{ locale: 'de', missingKeys: ['foot'], unusedKeys: ['head'] }],
  })
  expect((await env.get('/v2/translations/master-json?locale=de')).body).toEqual({
    workflows: {},
    layouts: { frame: { head: 'Kopf' } },
  })
  expect((await env.get('/v2/translations/group/layout/none')).status).toBe(404)
  expect((await env.get('/v2/translations/group/step/frame')).status).toBe(404)
})

describe('what is missing is shown before it is sent', () => {
  test('by language, on the workflow, in a preview and in an explanation', async () => {
    const env = await h.environment()
    await makeWorkflow(env, 'hello', {
      isTranslationEnabled: true,
      steps: [inbox('{{t.a}} {{t.b.c}} {% if t.a %}x{% endif %}', { subject: '{{t.title}}' })],
    })
    expect((await env.get('/v2/workflows/hello')).body).toMatchObject({
      isTranslationEnabled: true,
      missingTranslations: { en_US: 3 },
      steps: [{ issues: { controls: { body: [{ severity: 'warning', variableName: '{% if t.a %}' }] } } }],
    })
    await save(env, 'en', { a: 'A', b: { c: 'B' }, title: 'T' })
    await save(env, 'de', { a: 'A', unused: { x: 'X' } })
    await save(env, 'de_AT', { b: { c: 'B' } })
    expect((await env.get('/v2/translations/group/workflow/hello/missing')).body).toEqual({
      resourceId: 'hello',
      resourceType: 'workflow',
      defaultLocale: 'en_US',
      keys: expect.arrayContaining(['a', 'b.c', 'title']),
      untranslatedKeys: [],
      locales: [
        { locale: 'de', missingKeys: ['title', 'b.c'], unusedKeys: ['unused.x'] },
        { locale: 'de_AT', missingKeys: ['title'], unusedKeys: [] },
        { locale: 'en', missingKeys: [], unusedKeys: [] },
      ],
    })
    expect((await env.get('/v2/workflows/hello')).body.missingTranslations).toEqual({
      en_US: 0,
      de: 2,
      de_AT: 1,
      en: 0,
    })
    expect((await env.get('/v2/translations/group/workflow/hello')).body).toMatchObject({
      resourceName: 'hello',
      locales: ['de', 'de_AT', 'en'],
      outdatedLocales: ['de', 'de_AT'],
    })
    await env.delete('/v2/translations/workflow/hello/en')
    const { body: explained } = await env.post('/v1/events/explain', { name: 'hello', to: [vienna, 'ada'] })
    const missing = explained.recipients.map((it: { subscriberId: string; steps: { missingKeys: string[] }[] }) => [
      it.subscriberId,
      it.steps[0]?.missingKeys,
    ])
    expect(new Map(missing)).toEqual(
      new Map([
        ['vienna', ['title']],
        ['ada', ['title', 'a', 'b.c']],
      ]),
    )
    const preview = await env.post('/v2/workflows/hello/step/inbox/preview', {
      previewPayload: { subscriber: { locale: 'de_AT' } },
    })
    expect(preview.body.result).toMatchObject({ preview: { subject: 'title', body: 'A B ' }, errors: [] })
    expect(preview.body.result.warnings).toEqual([{ field: 'subject', message: expect.stringContaining('t.title') }])
  })
})

describe('what is refused', () => {
  test('names its key and what is wrong', async () => {
    const env = await h.environment()
    await makeWorkflow(env)
    const base = { resourceId: 'hello', resourceType: 'workflow', locale: 'de' }
    const bad: [unknown, string, string][] = [
      [{ a: { b: '{count, plural, one {x}}' } }, 'content.a.b', 'other'],
      [{ a: '{' }, 'content.a', 'brace'],
      [{ a: '{% if x %}' }, 'content.a', 'tag'],
      [{ a: '{{ x | nofilter }}' }, 'content.a', 'nofilter'],
      [{ a: '{{ x' }, 'content.a', 'without'],
      [{ a: '{{ }}' }, 'content.a', 'nothing'],
      [{ a: '{{ t.b }}' }, 'content.a', 'another'],
      [{ a: '{n, number, ::currency/X}' }, 'content.a', ''],
      [{ a: 'x'.repeat(8193) }, 'content.a', '8 KB'],
      [{ a: ['x'] }, 'content.a', 'text'],
      [{ a: '{n,select,other{'.repeat(11) + '}}'.repeat(11) }, 'content.a', 'deep'],
      [Object.fromEntries(Array.from({ length: 5001 }, (_, n) => [`k${n}`, 'x'])), 'content', '5000'],
      [Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`k${n}`, 'x'.repeat(8000)])), 'content', '256 KB'],
    ]
    for (const [content, field, words] of bad) {
      const reply = await env.post('/v2/translations', { ...base, content })
      expect([reply.status, Object.keys(reply.body.errors ?? {})], JSON.stringify(content).slice(0, 80)).toEqual([
        422,
        [field],
      ])
      expect(JSON.stringify(reply.body.errors)).toContain(words)
    }
    let deep: object = { x: 'x' }
    for (let n = 0; n < 11; n++) deep = { a: deep }
    expect((await env.post('/v2/translations', { ...base, content: deep })).status).toBe(422)
  })

  test('the fifty-first language', async () => {
    const env = await h.environment()
    await makeWorkflow(env)
    const regions = 'AT BE CH DE DK FR GB IE IT LI LU NL US CA AU NZ IN ZA SG HK MY PH KE NG GH'.split(' ')
    const locales = [...regions.map((it) => `en_${it}`), ...regions.map((it) => `de_${it}`)]
    const files = locales.map((locale) => ({ name: `${locale}.json`, content: '{"a":"b"}' }))
    const resource = { resourceId: 'hello', resourceType: 'workflow' }
    const uploaded = await env.post('/v2/translations/upload', { ...resource, files })
    expect(uploaded.body).toEqual({ totalFiles: 50, successfulUploads: 50, failedUploads: 0, errors: [] })
    const more = await env.post('/v2/translations', { ...resource, locale: 'fr', content: {} })
    expect(more).toMatchObject({ status: 422, body: { errors: { locale: {} } } })
  })

  test('a hostile message neither stalls nor fails what sends it', async () => {
    const env = await h.environment()
    const huge = 'y'.repeat(200_000)
    await makeWorkflow(env, 'hello', { steps: [inbox('{{t.a}}')] })
    await save(env, 'en', { a: `${'{x}'.repeat(150)}{n, plural, other {#}}` })
    const { transactionId } = await trigger(env, { to: 'ada', payload: { x: huge } })
    await h.drain()
    const { body } = await env.get(`/v1/notifications?transactionId=${transactionId}`)
    expect(body.data[0].jobs[0].status).toBe('failed')
    await trigger(env, { to: 'bob', payload: { x: '{{subscriber.subscriberId}}<b>' } })
    await h.drain()
    expect((await feedOf(env, 'bob'))[0]?.slice(0, 40)).toBe('{{subscriber.subscriberId}}<b>{{subscrib')
  })
})
