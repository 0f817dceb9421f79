import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useHarness } from '../../../test/harness.ts'
import { emailStep, makeIntegration, storyOf } from '../../../test/outside.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'

const h = useHarness({ NODE_ENV: 'production', DATABASE_URL: 'postgres://given-by-the-harness' }, { worker: true })

test('a development mailbox that came along into production swallows nothing', async () => {
  const env = await h.environment()
  const { _id } = await makeIntegration(env, { providerId: 'platform-email', channel: 'email', active: false })
  await sql`update integration set active = true, is_primary = true where id = ${_id}`.execute(h.admin)
  await makeWorkflow(env, 'hello', { steps: [emailStep] })
  const { transactionId } = await trigger(env, { to: { subscriberId: 'ada', email: 'ada@example.com' } })
  await h.settled()
  expect((await storyOf(env, transactionId)).jobs).toMatchObject([{ status: 'failed' }])
  expect((await env.get('/v1/dev/mailbox')).body.data).toEqual([])
})
