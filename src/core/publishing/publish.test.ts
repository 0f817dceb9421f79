import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type Json, useHarness } from '../../../test/harness.ts'
import {
  contentOf,
  doneBy,
  mail,
  makePlaces,
  placeOf,
  saveLayout,
  saveWords,
  saveWorkflow,
} from '../../../test/publishing/places.ts'

const h = useHarness({}, { worker: true })

const sms = (stepId: string, body: string) => ({ stepId, name: stepId, type: 'sms', controlValues: { body } })
const resource = (resourceType: string, resourceId: string) => ({ resourceType, resourceId })

/** A workflow in its layout, both with words. */
async function makeShop() {
  const places = await makePlaces(h)
  const { dev } = places
  await saveLayout(dev, 'brand', '<b>{{t.brand}}</b>{{content}}', { isDefault: true })
  await saveWords(dev, 'layout', 'brand', 'en_US', { brand: 'Acme' })
  await saveWorkflow(dev, 'order', [mail('paid', '<p>{{t.thanks}}</p>'), sms('sent', 'On its way')])
  await saveWords(dev, 'workflow', 'order', 'en_US', { thanks: 'Thank you' })
  return places
}

describe('everything', () => {
  test('arrives as it is in the source, with ids of its own, and a second time there is nothing to do', async () => {
    const { dev, prod, publish, diff } = await makeShop()
    expect(doneBy(await publish())).toEqual([
      'created workflow order',
      'created layout brand',
      'created translation layouts/brand/en_US',
      'created translation workflows/order/en_US',
    ])
    expect(await contentOf(prod)).toEqual(await contentOf(dev))
    const [there, here] = await Promise.all([prod, dev].map(async (it) => (await it.get('/v2/workflows/order')).body))
    expect(there._id).not.toBe(here._id)
    expect(there).toMatchObject({ version: 1, active: true })
    const ids = [...there.steps, ...here.steps].map((step: Json) => step._id)
    expect(new Set(ids).size).toBe(4)
    expect((await diff()).body).toMatchObject({ resources: [], summary: { totalChanges: 0, hasChanges: false } })
    const again = await publish()
    expect(doneBy(again)).toEqual([])
    expect(again.body.publicationId).toBeUndefined()
    expect(again.body.summary).toEqual({ resources: 4, successful: 0, failed: 0, skipped: 4 })
    expect((await prod.get('/v1/publications')).body.totalCount).toBe(1)
  })

  test('a change is a new version, steps keep their ids, and what is switched off stays off', async () => {
    const { dev, prod, publish } = await makeShop()
    await publish()
    const before = (await prod.get('/v2/workflows/order')).body
    await prod.patch('/v2/workflows/order', { active: false })
    await saveWorkflow(dev, 'order', [sms('sent', 'It comes'), sms('late', 'Sorry')])
    expect(doneBy(await publish())).toEqual(['updated workflow order'])
    const after = (await prod.get('/v2/workflows/order')).body
    expect(after).toMatchObject({ _id: before._id, version: 2, active: false })
    const idOf = (workflow: Json, stepId: string) => workflow.steps.find((it: Json) => it.stepId === stepId)._id
    expect(idOf(after, 'sent')).toBe(idOf(before, 'sent'))
    expect((await prod.get('/v2/workflows/order/versions')).body.data).toHaveLength(2)
  })

  test('a new one arrives switched off if it is so in the source', async () => {
    const { dev, prod, publish } = await makePlaces(h)
    await saveWorkflow(dev, 'off', [sms('a', 'A')], { active: false })
    await publish()
    expect((await prod.get('/v2/workflows/off')).body.active).toBe(false)
  })

  test('what is sent afterwards looks as in the source', async () => {
    const { prod, publish } = await makeShop()
    await publish()
    await prod.post('/v1/integrations', { providerId: 'platform-email', channel: 'email', active: true })
    await prod.post('/v1/events/trigger', { name: 'order', to: { subscriberId: 'ada', email: 'ada@example.com' } })
    await h.settled()
    const { data } = (await prod.get('/v1/messages?channel=email')).body
    expect(data[0]?.content).toContain('<b>Acme</b><p>Thank you</p>')
  })
})

describe('what goes', () => {
  test('only what came by publishing and is gone in the source; the rest stays, unless it is chosen', async () => {
    const { dev, prod, publish, diff } = await makeShop()
    await publish()
    await saveWorkflow(prod, 'own', [sms('a', 'A')])
    await saveWords(prod, 'workflow', 'own', 'de', { a: 'b' })
    await saveWords(prod, 'workflow', 'order', 'fr', { thanks: 'Merci' })
    await dev.delete('/v2/translations/workflow/order/en_US')
    const shown = (await diff()).body
    expect(shown.resources.map((it: Json) => [it.resourceId, it.action, it.onlyIfChosen])).toEqual([
      ['own', 'deleted', true],
      ['workflows/order/en_US', 'deleted', false],
      ['workflows/order/fr', 'deleted', true],
      ['workflows/own/de', 'deleted', true],
    ])
    expect(shown.summary.totalChanges).toBe(1)
    expect(doneBy(await publish())).toEqual(['deleted translation workflows/order/en_US'])
    await dev.delete('/v2/workflows/order')
    expect(doneBy(await publish())).toEqual(['deleted workflow order', 'deleted translation workflows/order/fr'])
    expect((await prod.get('/v2/workflows/order')).status).toBe(404)
    expect((await prod.get('/v2/workflows/own')).status).toBe(200)
    expect(doneBy(await publish({ resources: [resource('workflow', 'own')] }))).toEqual([
      'deleted workflow own',
      'deleted translation workflows/own/de',
    ])
    expect((await prod.get('/v2/workflows/own')).status).toBe(404)
  })

  test('what came from another environment is not gone', async () => {
    const { env, prod, publish } = await makeShop()
    await publish()
    const { body } = await env.post('/v1/environments', { name: 'Third', color: '#000000' })
    expect(doneBy(await publish({ sourceEnvironmentId: body._id }))).toEqual([])
    expect((await prod.get('/v2/workflows/order')).status).toBe(200)
  })

  test('a layout that a workflow of the target names is kept, and refused when it is chosen', async () => {
    const { dev, prod, publish } = await makePlaces(h)
    await saveLayout(dev, 'frame', '{{content}}')
    await publish()
    await saveWorkflow(prod, 'own', [mail('a', 'A', { layoutId: 'frame' })])
    await dev.delete('/v2/layouts/frame')
    const kept = await publish()
    expect(doneBy(kept)).toEqual([])
    expect(kept.body.results.find((it: Json) => it.kind === 'layout').skipped).toMatchObject([
      { resourceId: 'frame', reason: expect.stringContaining('own') },
    ])
    const chosen = await publish({ resources: [resource('layout', 'frame')] })
    expect(chosen).toMatchObject({ status: 409, body: { code: 'layout_in_use' } })
    await prod.delete('/v2/workflows/own')
    expect(doneBy(await publish())).toEqual(['deleted layout frame'])
  })
})

describe('chosen ones', () => {
  test('come with what they depend on, and nothing else', async () => {
    const { dev, publish } = await makeShop()
    await saveLayout(dev, 'named', '<i>{{content}}</i>')
    await saveWords(dev, 'layout', 'named', 'de', { a: 'b' })
    await saveWorkflow(dev, 'other', [mail('a', 'A', { layoutId: 'named' })])
    await saveWorkflow(dev, 'plain', [mail('a', 'A', { layoutId: null })])
    expect(doneBy(await publish({ resources: [resource('workflow', 'plain')] }))).toEqual(['created workflow plain'])
    expect(doneBy(await publish({ resources: [resource('workflow', 'other')] }))).toEqual([
      'created workflow other',
      'created layout named',
      'created translation layouts/named/de',
    ])
    // Of its step that names no layout, the default one.
    expect(doneBy(await publish({ resources: [resource('REGULAR', 'order')] }))).toEqual([
      'created workflow order',
      'created layout brand',
      'created translation layouts/brand/en_US',
      'created translation workflows/order/en_US',
    ])
  })

  test('one that is the same brings its layout, which is not', async () => {
    const { dev, publish } = await makeShop()
    await publish()
    await saveLayout(dev, 'brand', '<u>{{content}}</u>')
    await saveWorkflow(dev, 'other', [sms('a', 'A')])
    expect(doneBy(await publish({ resources: [resource('workflow', 'order')] }))).toEqual(['updated layout brand'])
  })

  test('words bring the workflow that they belong to, and the default language', async () => {
    const { dev, prod, publish } = await makeShop()
    await dev.patch('/v1/environment', { defaultLocale: 'de_DE' })
    await saveWords(dev, 'workflow', 'order', 'de_DE', { thanks: 'Danke' })
    expect(doneBy(await publish({ resources: [resource('translation', 'workflows/order/de_DE')] }))).toEqual([
      'created workflow order',
      'created layout brand',
      'created translation layouts/brand/en_US',
      'created translation workflows/order/de_DE',
      'created translation workflows/order/en_US',
      'updated setting defaultLocale',
    ])
    expect((await prod.get('/v1/environment')).body.data.defaultLocale).toBe('de_DE')
  })

  test('names that differ in their case are different ones, and unknown names are 422', async () => {
    const { dev, prod, publish } = await makePlaces(h)
    await saveWorkflow(dev, 'Order', [sms('a', 'upper')])
    await saveWorkflow(dev, 'order', [sms('a', 'lower')])
    expect(doneBy(await publish({ resources: [resource('workflow', 'Order')] }))).toEqual(['created workflow Order'])
    expect((await prod.get('/v2/workflows/order')).status).toBe(404)
    const refused = await publish({ resources: [resource('workflow', 'ORDER'), resource('layout', 'order')] })
    expect(Object.keys(refused.body.errors)).toEqual(['resources.0.resourceId', 'resources.1.resourceId'])
    expect(doneBy(await publish({ resources: [] }))).toEqual([])
  })
})

describe('the default layout', () => {
  test('moves in one edition, also from one that is only in the target', async () => {
    const { dev, prod, publish } = await makePlaces(h)
    await saveLayout(dev, 'new', '<b>{{content}}</b>', { isDefault: true })
    await saveLayout(prod, 'old', '<i>{{content}}</i>', { isDefault: true })
    expect(doneBy(await publish())).toEqual(['created layout new'])
    const { layouts } = (await prod.get('/v2/layouts')).body
    expect(Object.fromEntries(layouts.map((it: Json) => [it.layoutId, it.isDefault]))).toEqual({
      new: true,
      old: false,
    })
    const [edition] = new Set(layouts.map((it: Json) => it.edition))
    expect(layouts.every((it: Json) => it.edition === edition)).toBe(true)
    const { data } = (await prod.get('/v1/publications')).body
    const { changes } = (await prod.get(`/v1/publications/${data[0]._id}`)).body
    expect(changes.map((it: Json) => [it.resourceId, it.action])).toEqual([
      ['new', 'added'],
      ['old', 'modified'],
    ])
  })

  test('that the target alone has is told, where a mail would stand in it', async () => {
    const { dev, prod, diff } = await makePlaces(h)
    await saveLayout(prod, 'own', '{{content}}', { isDefault: true })
    await saveWorkflow(dev, 'order', [mail('a', 'A')])
    const { resources } = (await diff()).body
    const [order] = resources.filter((it: Json) => it.resourceId === 'order')
    expect(order.warnings).toEqual([
      'no active e-mail integration in the target',
      expect.stringMatching(/^the default layout "own" of the target/),
    ])
  })
})

describe('who may', () => {
  test('a protected environment changes by publishing only', async () => {
    const { env, dev, prod, publish } = await makePlaces(h)
    await env.put(`/v1/environments/${prod.id}`, { protected: true })
    expect((await prod.post('/v2/workflows', { workflowId: 'a', name: 'A', steps: [] })).body.code).toBe(
      'environment_protected',
    )
    await saveWorkflow(dev, 'order', [sms('a', 'A')])
    expect(doneBy(await publish())).toEqual(['created workflow order'])
    const synced = await dev.put('/v2/workflows/order/sync', { targetEnvironmentId: prod.id })
    expect(synced.status).toBe(200)
  })

  test('a key of one environment publishes nowhere, not even to its own, and restores nothing', async () => {
    const { env, prod, publish } = await makeShop()
    const { publicationId } = (await publish()).body
    const key = await h.environment({ organizationId: env.organizationId })
    const own = placeOf(key, key.environmentId)
    for (const target of [prod.id, key.environmentId]) {
      for (const what of ['diff', 'publish']) {
        const refused = await key.post(`/v2/environments/${target}/${what}`, { sourceEnvironmentId: env.environmentId })
        expect(refused.body.code).toBe('environment_out_of_reach')
      }
    }
    expect((await own.post(`/v1/publications/${publicationId}/restore`, {})).status).toBe(403)
  })

  test('to itself, from nowhere, to a deleted one, to and from a stranger: refused', async () => {
    const { env, prod, publish } = await makePlaces(h)
    const stranger = await h.environment()
    const to = (id: string, body: object = {}) => env.post(`/v2/environments/${id}/publish`, body)
    expect((await publish({ sourceEnvironmentId: prod.id })).body.errors).toHaveProperty('sourceEnvironmentId')
    expect((await to(env.environmentId)).body.errors).toHaveProperty('sourceEnvironmentId')
    expect((await publish({ sourceEnvironmentId: stranger.environmentId })).body.code).toBe('environment_not_found')
    expect((await to(stranger.environmentId)).body.code).toBe('environment_not_found')
    await env.delete(`/v1/environments/${prod.id}`)
    expect((await publish()).body.code).toBe('environment_not_found')
    expect((await to(env.environmentId, { sourceEnvironmentId: prod.id })).body.code).toBe('environment_not_found')
  })

  test('while the target is being moved: 503, and nothing is written', async () => {
    const { dev, prod, publish } = await makePlaces(h)
    await saveWorkflow(dev, 'order', [sms('a', 'A')])
    await sql`update environment set state = 'frozen', frozen_until = now() + interval '1 hour' where id = ${prod.id}`.execute(
      h.admin,
    )
    const refused = await publish()
    expect(refused).toMatchObject({ status: 503, body: { code: 'environment_held' } })
    await sql`update environment set state = 'active', frozen_until = null where id = ${prod.id}`.execute(h.admin)
  })
})

describe('sync', () => {
  test('answers the workflow as it is in the target', async () => {
    const { env, dev, prod } = await makeShop()
    const reply = await dev.put('/v2/workflows/order/sync', { targetEnvironmentId: prod.id })
    expect(reply).toMatchObject({ status: 200, body: { workflowId: 'order', version: 1 } })
    expect(reply.body._id).toBe((await prod.get('/v2/workflows/order')).body._id)
    expect((await dev.put('/v2/workflows/none/sync', { targetEnvironmentId: prod.id })).body.code).toBe(
      'workflow_not_found',
    )
    const own = await dev.put('/v2/workflows/order/sync', { targetEnvironmentId: env.environmentId })
    expect(own.body.errors).toHaveProperty('targetEnvironmentId')
  })
})

test('a dry run says the same and writes nothing', async () => {
  const { prod, publish } = await makeShop()
  const tried = await publish({ dryRun: true })
  expect(tried.body).toMatchObject({ dryRun: true, summary: { successful: 4 } })
  expect(tried.body.publicationId).toBeUndefined()
  expect((await prod.get('/v2/workflows')).body.totalCount).toBe(0)
  expect(doneBy(await publish())).toEqual(doneBy(tried))
})

test('what differs from what was shown is not published', async () => {
  const { dev, prod, publish, diff } = await makeShop()
  const { fingerprint } = (await diff()).body
  await saveWorkflow(dev, 'order', [sms('a', 'changed after the diff')])
  expect(await publish({ fingerprint })).toMatchObject({ status: 409, body: { code: 'publication_stale' } })
  const now = (await diff()).body.fingerprint
  await saveWorkflow(prod, 'order', [sms('a', 'by hand in the target')])
  expect((await publish({ fingerprint: now })).status).toBe(409)
  expect((await publish({ fingerprint: (await diff()).body.fingerprint })).status).toBe(200)
})

test('endpoints are told once of each workflow', async () => {
  const { dev, prod, publish } = await makeShop()
  const endpoint = await prod.post('/v1/webhook-endpoints', { url: 'https://example.com/hook' })
  expect(endpoint.status, endpoint.text).toBeLessThan(300)
  await saveWorkflow(dev, 'second', [sms('a', 'A')])
  await publish()
  await dev.delete('/v2/workflows/second')
  await publish()
  const { body } = await prod.get(`/v1/webhook-endpoints/${endpoint.body._id}/deliveries?limit=100`)
  expect(body.data.map(({ type }: Json) => type)).toEqual([
    'workflow.deleted',
    ...['workflow.published', 'workflow.published'],
  ])
})
