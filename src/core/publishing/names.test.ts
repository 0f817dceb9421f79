import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Client, type Json, useSharedHarness } from '../../../test/harness.ts'
import { addPerson } from '../../../test/people/people.ts'
import { mail, makePlaces, saveWorkflow } from '../../../test/publishing/places.ts'

const h = useSharedHarness()

/** What a person sends, in an environment. */
async function personIn(env: Client, environmentId: string, role: 'admin' | 'author') {
  const person = await addPerson(h, env.organizationId, { role })
  const headers = { ...person.headers, 'tidings-environment': environmentId }
  const send = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const reply = await h.send(method, path, { key: null, headers, body })
    expect(reply.status, reply.text).toBeLessThan(300)
    return reply.body
  }
  return { ...person, send }
}

const versionsOf = async (place: { get(path: string): Promise<Json> }) =>
  (await place.get('/v2/workflows/order/versions')).body.data

test('versions, publications and differences name the person who made them, also after they left', async () => {
  const { env, dev, prod, publish, diff } = await makePlaces(h)
  await saveWorkflow(dev, 'order', [mail('paid', 'One')])
  await publish()
  const author = await personIn(env, dev.id, 'author')
  const admin = await personIn(env, prod.id, 'admin')
  await author.send('PUT', '/v2/workflows/order', { name: 'Order', steps: [mail('paid', 'Two')] })
  const { resources } = (await diff()).body
  expect(resources[0]).toMatchObject({
    sourceResource: { updatedBy: { _id: author.personId, firstName: author.name } },
    targetResource: { updatedBy: { firstName: 'test' } },
  })
  await admin.send('POST', `/v2/environments/${prod.id}/publish`, {})
  const look = async () => {
    const [inDev] = await versionsOf(dev)
    const [inProd] = await versionsOf(prod)
    const [publication] = (await prod.get('/v1/publications')).body.data
    expect(inDev.createdBy).toEqual({ id: author.personId, name: author.name, type: 'person' })
    expect(inProd.createdBy).toEqual({ id: admin.personId, name: admin.name, type: 'person' })
    expect(publication.createdBy).toEqual({ _id: admin.personId, name: admin.name, type: 'person' })
    const shown = (await prod.get(`/v1/publications/${publication._id}`)).body
    expect(shown.createdBy).toEqual(publication.createdBy)
    expect(shown.resources[0].sourceResource.updatedBy.firstName).toBe(admin.name)
  }
  await look()
  for (const { personId } of [author, admin]) await env.delete(`/v1/members/${personId}`)
  await sql`delete from person where id in (${author.personId}, ${admin.personId})`.execute(h.admin)
  await look()
})

test('a version says by which publication it came; one made by hand says none', async () => {
  const { dev, prod, publish } = await makePlaces(h)
  await saveWorkflow(dev, 'order', [mail('paid', 'One')])
  const first = (await publish()).body.publicationId
  await saveWorkflow(prod, 'order', [mail('paid', 'By hand')])
  await saveWorkflow(dev, 'order', [mail('paid', 'Two')])
  const second = (await publish()).body.publicationId
  // Another thing at the same time: what was there before it did not come by it.
  await saveWorkflow(dev, 'other', [mail('paid', 'One')])
  await publish()
  const restored = (await prod.post(`/v1/publications/${second}/restore`, { state: 'before' })).body.publicationId
  expect((await versionsOf(prod)).map(({ publication }: Json) => publication)).toEqual([
    { _id: restored, restored: true },
    { _id: second, sourceName: 'test' },
    undefined,
    { _id: first, sourceName: 'test' },
  ])
  expect((await versionsOf(dev)).map(({ publication }: Json) => publication)).toEqual([undefined, undefined])
})

test('a layout says who changed it last', async () => {
  const { env, dev } = await makePlaces(h)
  const author = await personIn(env, dev.id, 'author')
  await author.send('POST', '/v2/layouts', { layoutId: 'brand', name: 'Brand' })
  expect((await dev.get('/v2/layouts/brand')).body.updatedBy).toEqual({ _id: author.personId, firstName: author.name })
})
