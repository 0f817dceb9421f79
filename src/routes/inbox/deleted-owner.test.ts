import { expect, test } from 'vitest'
import { startApp } from '../../../test/client/inbox-channels.ts'
import { openInbox } from '../../../test/client/inbox-session.ts'
import { useHarness } from '../../../test/harness.ts'

const app = await startApp()
const h = useHarness(app.settings)

test("a deleted person's own workspace is not shown to everybody's browser", async () => {
  const env = await h.environment()
  const chat = await app.make(env)
  await openInbox(env, 'ada')
  const eve = await openInbox(env, 'eve')
  const workspace = { id: 'T0ACME', name: 'Acme', botUserId: 'U0BOT' }
  const own = { identifier: 'ada-slack', subscriberId: 'ada', integrationIdentifier: chat, workspace }
  expect((await env.post('/v1/channel-connections', { ...own, auth: { accessToken: 'xoxb-1' } })).status).toBe(201)
  expect((await eve.send('GET', '/channel-connections')).body.data).toEqual([])
  await env.delete('/v2/subscribers/ada')
  expect((await eve.send('GET', '/channel-connections')).body.data).toEqual([])
})
