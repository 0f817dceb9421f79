import { beforeEach, describe, expect, test } from 'vitest'
import { type Json, useHarness } from '../../../test/harness.ts'
import { allowing, emailWebhook, makeIntegration } from '../../../test/outside.ts'
import { startHttpReceiver } from '../../../test/peers/http-receiver.ts'

const receiver = await startHttpReceiver()
const h = useHarness(allowing(receiver.port))
const path = '/v2/workflows/preview/send'

beforeEach(() => {
  receiver.requests.length = 0
  receiver.answer = { status: 200, json: {} }
})

const step = {
  type: 'email',
  controlValues: {
    subject: 'For {{subscriber.firstName}}',
    preheader: 'Soon',
    body: '<body><p>{{payload.total | currency: "EUR"}}</p></body>',
    from: { email: 'shop@example.com', name: 'Shop' },
  },
}

describe('POST /v2/workflows/preview/send', () => {
  test('sends what is not saved to oneself, as somebody else would get it, and stores nothing', async () => {
    const env = await h.environment()
    await makeIntegration(env, emailWebhook(receiver.url))
    const ada = { subscriberId: 'ada', firstName: 'Ada', email: 'ada@example.com', locale: 'de-DE' }
    await env.post('/v2/subscribers', ada)
    const { status, body } = await env.post(path, {
      step,
      to: 'me@example.com',
      subscriberId: 'ada',
      previewPayload: { payload: { total: 5 } },
    })
    expect({ status, outcome: body.outcome }).toEqual({ status: 200, outcome: 'sent' })
    expect(receiver.requests).toHaveLength(1)
    const [sent] = receiver.requests
    expect(sent?.json).toMatchObject({
      to: ['me@example.com'],
      from: { email: 'shop@example.com', name: 'Shop' },
      subject: '[Test] For Ada',
    })
    const { html }: Json = sent?.json ?? {}
    expect(html).toMatch(/Soon<\/div><p>5,00\s€<\/p>/u)
    expect((await env.get('/v1/messages')).body.data).toEqual([])
  })

  test('what cannot be rendered, sent or found is said, and nothing is sent', async () => {
    const env = await h.environment()
    await makeIntegration(env, emailWebhook(receiver.url))
    const send = (given: object) => env.post(path, { step, to: 'me@example.com', ...given })
    const broken = { ...step, controlValues: { ...step.controlValues, body: '{{ nothing | nofilter }}' } }
    expect((await send({ step: broken })).body).toMatchObject({
      statusCode: 422,
      errors: { 'step.controlValues.body': { messages: [expect.stringContaining('nofilter')] } },
    })
    expect((await send({ step: { type: 'delay', controlValues: { amount: 1, unit: 'days' } } })).status).toBe(422)
    expect((await send({ to: 'nobody' })).status).toBe(422)
    expect((await send({ integrationIdentifier: 'none' })).status).toBe(404)
    expect((await send({ workflowId: 'none' })).status).toBe(404)
    expect((await send({ step: { type: 'sms', controlValues: { body: 'Hi' } } })).status).toBe(404)
    expect(receiver.requests).toEqual([])
  })
})
