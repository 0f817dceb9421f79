import { expect, test } from 'vitest'
import { type Json, useSharedHarness } from '../../../test/harness.ts'
import { doneBy, mail, makePlaces, saveLayout, saveWords, saveWorkflow } from '../../../test/publishing/places.ts'

const h = useSharedHarness()

const sms = (stepId: string, body: string) => ({ stepId, name: stepId, type: 'sms', controlValues: { body } })
const html = (text: string) => `<html>\n<body>\n<h1>Order</h1>\n<p>${text}</p>\n<p>Bye</p>\n</body>\n</html>`

test('a changed workflow is shown as people talk about it: fields by path, steps by name, texts by line', async () => {
  const { dev, publish, diff } = await makePlaces(h)
  const steps = [mail('mail', html('Thank you')), sms('first', 'One'), sms('second', 'Two'), sms('gone', 'G')]
  await saveWorkflow(dev, 'order', steps, {
    tags: ['a'],
    payloadSchema: { type: 'object', properties: { total: { type: 'number' } } },
  })
  await publish()
  const changed = [sms('second', 'Two'), mail('mail', html('Thanks a lot')), sms('first', 'Uno'), sms('come', 'C')]
  await saveWorkflow(dev, 'order', changed, {
    name: 'Order',
    tags: ['a', 'b'],
    payloadSchema: { type: 'object', properties: { total: { type: 'string' } } },
    preferences: { user: null, workflow: { all: { enabled: true }, channels: { email: { enabled: false } } } },
  })
  const { resources } = (await diff()).body
  expect(resources).toHaveLength(1)
  const [order] = resources
  expect(order).toMatchObject({
    resourceType: 'REGULAR',
    kind: 'workflow',
    resourceId: 'order',
    action: 'modified',
    isShortened: false,
    sourceResource: { id: 'order', name: 'Order', updatedBy: { firstName: expect.any(String) } },
    targetResource: { id: 'order', name: 'Workflow order', updatedAt: expect.stringMatching(/Z$/) },
  })
  const byPath = new Map(order.changes.map((it: Json) => [`${it.action} ${it.path}`, it]))
  expect([...byPath.keys()]).toEqual([
    'modified name',
    'modified tags',
    expect.stringContaining('preferences'),
    'modified payloadSchema.properties.total.type',
    'deleted steps.gone',
    'moved steps.second',
    'modified steps.mail.controlValues.body',
    'modified steps.first.controlValues.body',
    'added steps.come',
  ])
  expect(byPath.get('modified name')).toMatchObject({ before: 'Workflow order', after: 'Order' })
  expect(byPath.get('modified tags')).toMatchObject({ before: ['a'], after: ['a', 'b'] })
  expect(byPath.get('moved steps.second')).toMatchObject({ stepType: 'sms', previousIndex: 2, newIndex: 0 })
  expect(byPath.get('modified steps.mail.controlValues.body')).toMatchObject({
    lines: [
      {
        before: 2,
        after: 2,
        lines: [' <body>', ' <h1>Order</h1>', '-<p>Thank you</p>', '+<p>Thanks a lot</p>', ' <p>Bye</p>', ' </body>'],
      },
    ],
  })
  expect(byPath.get('added steps.come')).toMatchObject({ after: { name: 'come', controlValues: { body: 'C' } } })
  expect(JSON.stringify(order)).not.toContain('compiled')
})

test('a document of blocks is shown by the lines of its text', async () => {
  const { dev, publish, diff } = await makePlaces(h)
  const document = (text: string) => ({
    type: 'doc',
    content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
  })
  const step = (text: string) => mail('mail', JSON.stringify(document(text)), { editorType: 'block' })
  await saveWorkflow(dev, 'order', [step('Hello')])
  await publish()
  await saveWorkflow(dev, 'order', [step('Good morning')])
  const [change] = (await diff()).body.resources[0].changes
  expect(change.lines[0].lines.filter((line: string) => !line.startsWith(' '))).toEqual([
    expect.stringMatching(/^- +"text": "Hello"$/),
    expect.stringMatching(/^\+ +"text": "Good morning"$/),
  ])
})

test('layouts and words, and what depends on what', async () => {
  const { dev, publish, diff } = await makePlaces(h)
  await saveLayout(dev, 'brand', '<b>\nA\n</b>{{content}}', { isDefault: true })
  await saveWords(dev, 'layout', 'brand', 'de', { foot: { line: 'Alt', other: 'O' } })
  await saveWorkflow(dev, 'order', [mail('mail', 'A')])
  const before = (await diff()).body
  expect(before.summary).toEqual({ totalEntities: 3, totalChanges: 3, hasChanges: true })
  expect(before.resources[0]).toMatchObject({
    resourceId: 'order',
    action: 'added',
    summary: { added: 1, modified: 0, deleted: 0, unchanged: 0 },
    needs: [
      { kind: 'layout', resourceId: 'brand' },
      { kind: 'translation', resourceId: 'layouts/brand/de' },
    ],
    dependencies: [{ resourceId: 'brand', isBlocking: true, reason: 'LAYOUT_REQUIRED_FOR_WORKFLOW' }],
  })
  await publish()
  await saveLayout(dev, 'brand', '<b>\nB\n</b>{{content}}', { isDefault: false })
  await saveWords(dev, 'layout', 'brand', 'de', { foot: { line: 'Neu', other: 'O' } })
  const { resources } = (await diff()).body
  expect(resources.map((it: Json) => [it.resourceId, it.changes.map(({ path }: Json) => path)])).toEqual([
    ['brand', ['isDefault', 'controlValues.body']],
    ['layouts/brand/de', ['foot.line']],
  ])
  expect(resources[1].changes[0]).toMatchObject({ before: 'Alt', after: 'Neu' })
  const chosen = (await diff({ resources: [{ resourceType: 'translation', resourceId: 'layouts/brand/de' }] })).body
  expect(chosen.resources).toHaveLength(1)
})

test('more changes than anybody reads are cut, and marked', async () => {
  const { dev, publish, diff } = await makePlaces(h)
  const words = (text: string) =>
    Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`key${n}`, `${text} ${n}`]))
  await saveWorkflow(dev, 'order', [sms('a', 'A')])
  await saveWords(dev, 'workflow', 'order', 'de', words('old'))
  await publish()
  await saveWords(dev, 'workflow', 'order', 'de', words('new'))
  const [resource] = (await diff()).body.resources
  expect(resource.changes).toHaveLength(200)
  expect(resource.isShortened).toBe(true)
})

test('what a choice pulls in is named to its end: also the words of a layout that is the same', async () => {
  const { dev, publish, diff } = await makePlaces(h)
  await saveLayout(dev, 'brand', '<b>{{t.brand}}</b>{{content}}', { isDefault: true })
  await saveWords(dev, 'layout', 'brand', 'en_US', { brand: 'Acme' })
  await saveWorkflow(dev, 'order', [mail('paid', 'One')])
  await publish()
  await saveWords(dev, 'layout', 'brand', 'en_US', { brand: 'Acme Inc.' })
  await saveWorkflow(dev, 'order', [mail('paid', 'Two')])
  const order = (await diff()).body.resources.find((it: Json) => it.resourceId === 'order')
  const pulled = { kind: 'translation', resourceId: 'layouts/brand/en_US' }
  expect(order.needs).toEqual([pulled])
  const chosen = { dryRun: true, resources: [{ resourceType: 'workflow', resourceId: 'order' }] }
  expect(doneBy(await publish(chosen))).toEqual(['updated workflow order', 'updated translation layouts/brand/en_US'])
})
