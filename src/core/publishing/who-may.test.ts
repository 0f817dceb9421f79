import { expect, test } from 'vitest'
import { type Json, useSharedHarness } from '../../../test/harness.ts'
import { addPerson, cookieOf, ofDashboard } from '../../../test/people/people.ts'
import { makePlaces, saveWorkflow } from '../../../test/publishing/places.ts'

const h = useSharedHarness()

test('the session says to which environments somebody may publish, and publishing says the same', async () => {
  const { env, dev, prod } = await makePlaces(h)
  await saveWorkflow(dev, 'hello', [{ stepId: 'a', name: 'A', type: 'in_app', controlValues: { body: 'Hi' } }])
  const person = async (role: 'admin' | 'author' | 'viewer', inProd?: 'admin' | 'viewer') => {
    const environments = inProd ? { [prod.id]: inProd } : {}
    return (await addPerson(h, env.organizationId, { role, environments })).headers
  }
  const byKey = async (key: string) => ({
    ...ofDashboard,
    cookie: cookieOf(await h.send('POST', '/session', { key: null, headers: ofDashboard, body: { key } })),
  })
  // Its key opens Production alone.
  const alone = (await prod.post('/v1/api-keys', { name: 'alone' })).body.key
  const expected = [
    [await person('admin'), [true, true]],
    [await person('author', 'admin'), [false, true]],
    [await person('admin', 'viewer'), [true, false]],
    [await person('viewer'), [false, false]],
    [await byKey(env.key), [true, true]],
    [await byKey(alone), [undefined, false]],
  ] as const
  for (const [headers, wanted] of expected) {
    const { body } = await h.send('GET', '/session', { key: null, headers })
    const shown = [dev.id, prod.id].map(
      (id) => body.environments.find((it: Json) => it.id === id)?.mayPublish as boolean | undefined,
    )
    expect(shown).toEqual(wanted)
    const reply = await h.send('POST', `/v2/environments/${prod.id}/publish`, {
      key: null,
      headers,
      body: { dryRun: true },
    })
    expect(reply.status, reply.text).toBe(wanted[1] ? 200 : 403)
  }
})
