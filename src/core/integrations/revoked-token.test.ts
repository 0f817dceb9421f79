import { afterAll, expect, test } from 'vitest'
import { useHarness } from '../../../test/harness.ts'
import { allowing, makeIntegration, storyOf } from '../../../test/outside.ts'
import { startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'

const vendor = await startHttpReceiver()
const h = useHarness(allowing(vendor.port), { worker: true })
afterAll(() => vendor.close())

test('a token that the vendor took back before its time spoils one message, not all until it would have expired', async () => {
  const env = await h.environment()
  const revoked = new Set<unknown>()
  let logins = 0
  vendor.answer = ({ url, headers }) => {
    if (url === '/login') return { json: { access_token: `t${++logins}`, expires_in: 3600 } }
    return revoked.has(headers['x-token']) ? { status: 401 } : { json: { id: 'm1' } }
  }
  await makeIntegration(env, {
    providerId: 'generic-sms',
    channel: 'sms',
    credentials: {
      baseUrl: `${vendor.url}/send`,
      apiKeyRequestHeader: 'x-api-key',
      apiKey: 'key-1',
      authenticateByToken: true,
      domain: `${vendor.url}/login`,
      authenticationTokenKey: 'x-token',
      from: 'Acme',
    },
  })
  await makeWorkflow(env, 'hello', { steps: [{ name: 'SMS', type: 'sms', controlValues: { body: 'Hello' } }] })
  const send = async () => {
    const { transactionId } = await trigger(env, { to: { subscriberId: 'ada', phone: '+15005550006' } })
    await h.settled()
    return (await storyOf(env, transactionId)).messages.map(({ status }) => status)
  }
  expect(await send()).toEqual(['sent'])
  expect(await send()).toEqual(['sent'])
  expect(logins).toBe(1)
  revoked.add('t1')
  expect(await send()).toEqual(['error'])
  expect(await send()).toEqual(['sent'])
  expect(logins).toBe(2)
})
