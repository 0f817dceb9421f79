import { expect, test } from 'vitest'
import { feedEnvironment, feedOf, fillFeed } from '../../../test/feed.ts'
import { type Client, useHarness } from '../../../test/harness.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'

const h = useHarness({}, { worker: true })
const answer = (env: Client, id: string, type: string, body: object, subscriberId = 'ada') =>
  env.post(`/v1/subscribers/${subscriberId}/messages/${id}/actions/${type}`, body)
const buttons = [
  { type: 'primary', content: 'Yes' },
  { type: 'secondary', content: 'No' },
]

test('done: status and result are kept, the message is read; pending takes the answer back', async () => {
  const env = await feedEnvironment(h)
  const feed = feedOf(env)
  const [id = ''] = await fillFeed(h, env, 'ada', 1)
  expect((await feed.message(id)).cta).toEqual({ action: { status: 'pending', buttons } })

  const payload = { note: 'for sure', nested: [1, { a: null }] }
  const done = await answer(env, id, 'primary', { status: 'done', payload })
  expect(done.status).toBe(201)
  expect(done.body).toMatchObject({ _id: id, read: true, seen: true })
  expect(done.body.cta).toEqual({ action: { status: 'done', buttons, result: { type: 'primary', payload } } })
  expect((await env.get('/v1/subscribers/ada/notifications/feed')).body.data[0].cta).toEqual(done.body.cta)
  expect(await feed.confirmations(id)).toHaveLength(1)

  // Only the primary button was pressed, so there is nothing to take back of the other.
  expect((await answer(env, id, 'secondary', { status: 'pending' })).body.cta).toEqual(done.body.cta)
  const other = await answer(env, id, 'secondary', { status: 'done' })
  expect(other.body.cta.action).toEqual({ status: 'done', buttons, result: { type: 'secondary' } })
  const back = await answer(env, id, 'secondary', { status: 'pending' })
  expect(back.body).toMatchObject({ read: true, cta: { action: { status: 'pending' } } })
  expect(back.body.cta).toEqual({ action: { status: 'pending', buttons } })
  expect(await feed.confirmations(id)).toHaveLength(1)
})

test('the /v2 pair: complete and revert', async () => {
  const env = await feedEnvironment(h)
  const feed = feedOf(env)
  const [id = ''] = await fillFeed(h, env, 'ada', 1)
  const redirect = { url: '/yes/0', target: '_blank' }
  const [yes, no] = [{ label: 'Yes', redirect }, { label: 'No' }]
  expect((await feed.patch(id, 'actions/secondary/complete')).body).toMatchObject({
    id,
    isRead: true,
    primaryAction: { ...yes, isCompleted: false },
    secondaryAction: { ...no, isCompleted: true },
  })
  expect((await feed.patch(id, 'actions/primary/revert')).body.secondaryAction.isCompleted).toBe(true)
  expect((await feed.patch(id, 'actions/secondary/revert')).body).toMatchObject({
    isRead: true,
    primaryAction: { isCompleted: false },
    secondaryAction: { isCompleted: false },
  })
})

test('422 for a button the message does not have', async () => {
  const env = await feedEnvironment(h)
  await makeWorkflow(env, 'plain')
  await trigger(env, { name: 'plain', to: 'ada' })
  const [plain = ''] = await fillFeed(h, env, 'ada', 0)
  const [id = ''] = await fillFeed(h, env, 'bob', 1)
  const refusals = [
    await answer(env, plain, 'primary', { status: 'done' }),
    await answer(env, plain, 'primary', { status: 'pending' }),
    await answer(env, id, 'tertiary', { status: 'done' }, 'bob'),
    await feedOf(env).patch(plain, 'actions/primary/complete'),
    await feedOf(env).patch(plain, 'actions/primary/revert'),
  ]
  for (const { status, body } of refusals) expect([status, Object.keys(body.errors)]).toEqual([422, ['type']])
  expect(await feedOf(env).message(plain)).toMatchObject({ read: false, cta: {} })
})

test('404 for a message that is unknown, malformed, or of somebody else', async () => {
  const [env, foreign] = [await feedEnvironment(h), await feedEnvironment(h)]
  const [bobs = ''] = await fillFeed(h, env, 'bob', 1)
  const [theirs = ''] = await fillFeed(h, foreign, 'ada', 1)
  await fillFeed(h, env, 'ada', 1)
  for (const id of [bobs, theirs, 'x', crypto.randomUUID()]) {
    expect((await answer(env, id, 'primary', { status: 'done' })).body.code, id).toBe('message_not_found')
    expect((await feedOf(env).patch(id, 'actions/primary/complete')).body.code, id).toBe('message_not_found')
  }
  expect((await feedOf(env, 'bob').message(bobs)).cta.action.status).toBe('pending')
  expect((await feedOf(foreign).message(theirs)).cta.action.status).toBe('pending')
})
