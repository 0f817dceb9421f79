import { describe, expect, test } from 'vitest'
import { type Json, useHarness } from '../../../test/harness.ts'
import { channel, integration, person, step, workflow } from '../../../test/import/recorded.ts'
import { useImports } from '../../../test/import/run-import.ts'

const h = useHarness()
const { replay, run } = useImports(() => h.url)

const sms = step('sms', 'sms', { body: 'B' })
const layout = (layoutId: string, more: object = {}) => ({
  _id: layoutId,
  layoutId,
  slug: layoutId,
  name: layoutId,
  isDefault: false,
  controls: { values: { email: { body: '{{content}}', editorType: 'html' } } },
  ...more,
})

describe('nothing is dropped in silence', () => {
  test('a field that nobody knows, of whatever it is', async () => {
    const to = await h.environment()
    const odd = { invented: { deep: [1] } }
    const topic = { _id: 'a1', key: 'news', name: 'News', data: { a: 1 }, ...odd }
    const from = await replay({
      workflows: [workflow('w', [{ ...sms, ...odd }], odd)],
      layouts: [layout('l', { ...odd, controls: { values: { email: { body: 'B {{content}}', ...odd }, ...odd } } })],
      integrations: [integration('sendgrid', { ...odd, configurations: { a: 'b' }, removeNovuBranding: true })],
      subscribers: [person('ada', odd)],
      topics: [topic],
    })
    const { left } = await run(from, to, '--without', 'preferences,contexts,variables')
    const fields = left.filter(({ why }) => why === 'is not carried').map((it) => `${it.kind} ${it.field}`)
    expect(fields.toSorted()).toEqual([
      'integrations configurations',
      'integrations invented',
      'integrations removeNovuBranding',
      'layouts controls.email.invented',
      'layouts controls.invented',
      'layouts invented',
      'subscribers invented',
      'topics data',
      'topics invented',
      'workflows invented',
      'workflows steps.sms.invented',
    ])
  })

  test('what is in a list and cannot be read is counted, and told', async () => {
    const to = await h.environment()
    const before = (path: string) => (/\/(lost|gone)$/.test(path) ? { status: 404 } : undefined)
    const layouts = [{ _id: 'gone', layoutId: 'gone', name: 'Gone' }, layout('l')]
    const from = await replay({ workflows: [workflow('w', [sms]), workflow('lost', [sms])], layouts }, { before })
    const { text, why } = await run(from, to, '--only', 'workflows,layouts')
    expect(text).toMatch(/^workflows +2 +1 +0 +0 +1/m)
    expect(text).toMatch(/^layouts +2 +1 +0 +0 +1/m)
    for (const name of ['lost', 'gone']) expect(why(name)).toEqual([expect.stringContaining('nowhere else')])
  })

  test('people who are nobody; data that is none', async () => {
    const to = await h.environment()
    const subscribers = [
      person('ada', { data: ['a'] }),
      person('bob', { data: 'text' }),
      person('gone', { deleted: true }),
      { ...person('x'), subscriberId: undefined, _id: '900000000000000000000001' },
      { ...person('y'), subscriberId: 7, _id: '900000000000000000000002' },
    ]
    const { text, why } = await run(await replay({ subscribers }), to, '--only', 'subscribers')
    expect(text).toMatch(/^subscribers +5 +2 +0 +0 +3/m)
    expect([why('ada'), why('bob')]).toEqual([
      [expect.stringContaining('no object')],
      [expect.stringContaining('no object')],
    ])
    expect(why('gone')).toEqual(['is deleted there'])
    for (const id of [1, 2]) expect(why(`90000000000000000000000${id}`)).toEqual(['has no subscriberId'])
  })

  test('severities, tags and names', async () => {
    const to = await h.environment()
    const odd = workflow('w', [sms], { severity: 'urgent', tags: ['a', 7, { b: 1 }] })
    const from = await replay({
      workflows: [odd],
      layouts: [layout('l', { name: 'x'.repeat(300) })],
      integrations: [integration('sendgrid', { name: 'y'.repeat(300) })],
    })
    const { why } = await run(from, to, '--only', 'workflows,layouts,integrations')
    expect(why('w').toSorted()).toEqual(['"urgent" is none here', 'a tag is a text here'])
    expect(why('l')).toEqual(['has 300 characters; the first 255 are taken'])
    expect(why('sendgrid-x')).toEqual(['has 300 characters; the first 255 are taken'])
  })

  test('a step with a rule and filters: the workflow arrives switched off, its filters stay', async () => {
    const to = await h.environment()
    const children = [{ on: 'payload', field: 'a', operator: 'EQUAL', value: 'x' }]
    const filters = [{ type: 'GROUP', value: 'AND', isNegated: false, children }]
    const both = step('sms', 'sms', { body: 'B', skip: { '==': [{ var: 'payload.b' }, 'y'] } }, { filters })
    const { why } = await run(await replay({ workflows: [workflow('w', [both])] }), to, '--only', 'workflows')
    expect(why('w')[0]).toContain('a rule, and filters besides')
    expect((await to.get('/v2/workflows/w')).body).toMatchObject({ active: false, steps: [{ filters }] })
  })
})

describe('what is here otherwise is kept, and a comparison says so', () => {
  const verify = ['--only', 'integrations,subscribers', '--verify']

  test('an integration: on or off, the primary one, conditions', async () => {
    const to = await h.environment()
    const children = [{ on: 'payload', field: 'a', operator: 'EQUAL', value: 'x' }]
    const conditions = [{ type: 'GROUP', value: 'AND', isNegated: false, children }]
    const mail = integration('sendgrid', { primary: true, conditions })
    const inApp = integration('novu', { channel: 'in_app', identifier: 'in-app' })
    const integrations = [mail, inApp]
    const from = await replay({ integrations })
    const first = await run(from, to, '--only', 'integrations')
    expect(first.why('sendgrid-x')).toEqual(['is the primary one there: make it so here when it is complete'])
    mail.conditions = []
    inApp.active = false
    const { why, last, code } = await run(from, to, ...verify)
    expect(why('sendgrid-x').toSorted()).toEqual([
      'has none there, and some here: they stay',
      'is on there and off here: it stays so',
      'is the primary one there: make it so here when it is complete',
    ])
    expect(why('in-app')).toContain('is off there and on here: it stays so')
    expect([code, last]).toEqual([0, expect.stringContaining('except what is listed above')])
  })

  test('a channel of a person that was deleted there; where nobody says channels, nothing is said', async () => {
    const to = await h.environment()
    const ada = person('ada', { channels: [channel('fcm', { deviceTokens: ['t1'] })] })
    const from = await replay({ subscribers: [ada] })
    await run(from, to, '--only', 'subscribers')
    ada.channels = []
    const { why, last } = await run(from, to, ...verify)
    expect(why('ada')).toEqual(['is here and not there: it stays, and the person is reached by it'])
    expect(last).toContain('except what is listed above')
    const kept = (await to.get('/v2/subscribers/ada')).body.channels.map((it: Json) => it.providerId)
    expect(kept).toEqual(['fcm'])
    const { channels: _channels, ...unsaid } = ada
    expect((await run(await replay({ subscribers: [unsaid] }), to, '--only', 'subscribers')).left).toEqual([])
  })
})
