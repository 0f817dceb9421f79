import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Json, useHarness } from '../../../test/harness.ts'
import {
  contentOf,
  doneBy,
  mail,
  makePlaces,
  type Place,
  saveLayout,
  saveWords,
  saveWorkflow,
} from '../../../test/publishing/places.ts'

const h = useHarness({}, { worker: true })

const sms = (stepId: string, body: string) => ({ stepId, name: stepId, type: 'sms', controlValues: { body } })

/** Three publications after one another, and what the target was after each. */
async function makeHistory() {
  const places = await makePlaces(h)
  const { dev, prod, publish } = places
  await saveLayout(prod, 'own', '<i>{{content}}</i>', { isDefault: true })
  const states = [await contentOf(prod)]
  const ids: string[] = []
  const step = async () => {
    ids.push((await publish()).body.publicationId)
    states.push(await contentOf(prod))
  }
  await saveLayout(dev, 'brand', '<b>{{t.brand}}</b>{{content}}', { isDefault: true })
  await saveWords(dev, 'layout', 'brand', 'en_US', { brand: 'Acme' })
  await saveWorkflow(dev, 'order', [mail('paid', '{{t.thanks}}'), sms('sent', 'One')])
  await saveWords(dev, 'workflow', 'order', 'de', { thanks: 'Danke' })
  await saveWorkflow(dev, 'second', [sms('a', 'A')])
  await step()
  await saveWorkflow(dev, 'order', [sms('sent', 'Two'), mail('paid', '{{t.thanks}}!')])
  await saveWords(dev, 'workflow', 'order', 'de', { thanks: 'Vielen Dank' })
  await saveLayout(dev, 'brand', '<u>{{content}}</u>')
  await dev.patch('/v1/environment', { defaultLocale: 'de' })
  await step()
  await dev.delete('/v2/workflows/order')
  await saveLayout(dev, 'third', '{{content}}', { isDefault: true })
  await dev.delete('/v2/layouts/brand')
  await step()
  return { ...places, ids, states }
}

const restore = (place: Place, id: string | undefined, body: object = {}) =>
  place.post(`/v1/publications/${id}/restore`, body)

test('back to each publication, to before the first one, and forth again: exactly, and nothing is rewritten', async () => {
  const { prod, ids, states } = await makeHistory()
  const history = () =>
    sql`select 'w' as kind, workflow_id as id, version as n, definition as d from workflow_version where environment_id = ${prod.id}
      union all select 'l', layout_id, edition, definition from layout_version where environment_id = ${prod.id}
      union all select 't' || locale, resource_id, edition, content from translation where environment_id = ${prod.id}
      order by 1, 2, 3`
      .execute(h.admin)
      .then(({ rows }) => rows.map((row) => JSON.stringify(row)))
  for (const [index, state] of [
    [0, 1],
    [1, 2],
    [2, 3],
    [0, 0],
    [2, 3],
    [0, 1],
  ] as const) {
    const before = await history()
    const reply = await restore(prod, ids[index], state === 0 ? { state: 'before' } : {})
    expect(reply.status, reply.text).toBe(200)
    expect(await contentOf(prod), `${index} ${state}`).toEqual(states[state])
    const after = await history()
    for (const row of before) expect(after).toContain(row)
  }
  const { data } = (await prod.get('/v1/publications?limit=100')).body
  expect(data[0]).toMatchObject({ restored: { publicationId: ids[0], state: 'after' } })
  expect(data.length).toBe(9)
})

test('what was deleted comes back as itself: its id, its history, its switch', async () => {
  const { prod, ids } = await makeHistory()
  const deleted = await sql<{ id: string }>`
    select id from workflow where environment_id = ${prod.id} and identifier = 'order'`.execute(h.admin)
  const reply = await restore(prod, ids[1])
  expect(doneBy(reply)).toContain('created workflow order')
  const back = (await prod.get('/v2/workflows/order')).body
  expect(back).toMatchObject({ _id: deleted.rows[0]?.id, active: true })
  // It is what it was when it was deleted: that needs no version.
  expect(back.version).toBe(2)
  await restore(prod, ids[0])
  expect((await prod.get('/v2/workflows/order')).body).toMatchObject({ _id: back._id, version: 3 })
  const versions = (await prod.get('/v2/workflows/order/versions')).body.data
  expect(versions.map((it: Json) => it.version)).toEqual([3, 2, 1])
})

test('if its name is taken, the one that has it becomes what it was', async () => {
  const { prod, ids } = await makeHistory()
  const other = await saveWorkflow(prod, 'order', [sms('else', 'E')])
  expect(doneBy(await restore(prod, ids[1]))).toContain('updated workflow order')
  const now = (await prod.get('/v2/workflows/order')).body
  expect(now._id).toBe(other._id)
  expect(now.steps.map((it: Json) => it.stepId)).toEqual(['sent', 'paid'])
})

test('what somebody made by hand since goes, and comes back by putting that back', async () => {
  const { prod, ids } = await makeHistory()
  await saveWorkflow(prod, 'own', [sms('a', 'by hand')])
  const before = await contentOf(prod)
  const tried = await restore(prod, ids[2], { dryRun: true })
  expect(doneBy(tried)).toEqual(['deleted workflow own'])
  const { publicationId } = (await restore(prod, ids[2], { fingerprint: tried.body.fingerprint, note: 'Oh.' })).body
  expect((await prod.get('/v2/workflows/own')).status).toBe(404)
  const shown = (await prod.get(`/v1/publications/${publicationId}`)).body
  expect(shown).toMatchObject({ note: 'Oh.', changes: [{ resourceId: 'own', action: 'deleted' }] })
  await restore(prod, publicationId, { state: 'before' })
  expect(await contentOf(prod)).toEqual(before)
})

test('with a fingerprint only what was shown', async () => {
  const { prod, ids } = await makeHistory()
  const { fingerprint } = (await restore(prod, ids[0], { dryRun: true })).body
  await saveWorkflow(prod, 'second', [sms('a', 'changed meanwhile')])
  expect((await restore(prod, ids[0], { fingerprint })).body.code).toBe('publication_stale')
})

test('publishing goes on after it: what came from the source is known as such', async () => {
  const { dev, prod, publish, ids } = await makeHistory()
  await restore(prod, ids[0])
  const done = doneBy(await publish())
  expect(done).toContain('deleted workflow order')
  expect(done).toContain('deleted layout brand')
  expect((await contentOf(prod)).workflows).toEqual((await contentOf(dev)).workflows)
})

test('each publication shows, line by line, what it changed', async () => {
  const { prod, ids } = await makeHistory()
  const shown = (await prod.get(`/v1/publications/${ids[1]}`)).body
  expect(shown.summary).toEqual({ added: 0, modified: 4, deleted: 0 })
  const changes = shown.resources.flatMap((it: Json) =>
    it.changes.map((change: Json) => `${it.resourceId} ${change.path} ${change.action}`),
  )
  expect(changes).toEqual([
    'order steps.sent.controlValues.body modified',
    'order steps.paid moved',
    'order steps.paid.controlValues.body modified',
    'brand controlValues.body modified',
    'workflows/order/de thanks modified',
    'defaultLocale defaultLocale modified',
  ])
})

test('events that were accepted before go on with what they began with', async () => {
  const { dev, prod, publish } = await makePlaces(h)
  const delay = {
    stepId: 'wait',
    name: 'wait',
    type: 'delay',
    controlValues: { type: 'regular', amount: 1, unit: 'hours' },
  }
  const inApp = (body: string) => ({ stepId: 'bell', name: 'bell', type: 'in_app', controlValues: { body } })
  await saveWorkflow(dev, 'late', [delay, inApp('old {{t.word}}')])
  await saveWords(dev, 'workflow', 'late', 'en_US', { word: 'old' })
  await publish()
  await prod.post('/v1/events/trigger', { name: 'late', to: 'ada', transactionId: 'one' })
  await h.drain()
  await saveWorkflow(dev, 'late', [delay, inApp('new {{t.word}}')])
  await saveWords(dev, 'workflow', 'late', 'en_US', { word: 'new' })
  await publish()
  await sql`update job set run_at = now() where environment_id = ${prod.id} and status = 'delayed'`.execute(h.admin)
  await expect
    .poll(async () => (await prod.get('/v1/messages')).body.data[0]?.content, { timeout: 20_000 })
    .toBe('old old')
})
