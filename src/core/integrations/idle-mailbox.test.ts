import { describe, expect, test } from 'vitest'
import { type Client, useHarness } from '../../../test/harness.ts'
import { allowing, emailStep, emailWebhook, makeIntegration, storyOf } from '../../../test/outside.ts'
import { startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { makeWorkflow, trigger } from '../../../test/pipeline.ts'

const vendor = await startHttpReceiver()
const h = useHarness(allowing(vendor.port), { worker: true })

const mailbox = { providerId: 'platform-email', channel: 'email', identifier: 'mailbox' }
const real = (identifier: string, more = {}) => emailWebhook(vendor.url, { identifier, ...more })
const primaryOf = async (env: Client) =>
  (await env.get('/v1/integrations')).body.find(({ primary }: { primary: boolean }) => primary)?.identifier
const sendOne = async (env: Client) => {
  const { transactionId } = await trigger(env, { to: { subscriberId: 'ada', email: 'ada@example.org' } })
  await h.settled()
  return storyOf(env, transactionId)
}
const inMailbox = async (env: Client) => (await env.get('/v1/dev/mailbox')).body.data.length

describe('the development mailbox', () => {
  test('is used while nothing else is active; the first real integration takes over without another click', async () => {
    const env = await h.environment()
    await makeWorkflow(env, 'hello', { steps: [emailStep] })
    await makeIntegration(env, mailbox)
    expect(await primaryOf(env)).toBe('mailbox')
    await sendOne(env)
    expect(await inMailbox(env)).toBe(1)

    const made = await makeIntegration(env, real('first', { active: false }))
    expect(await primaryOf(env)).toBe('mailbox')
    await env.put(`/v1/integrations/${made._id}`, { active: true })
    expect(await primaryOf(env)).toBe('first')
    expect((await sendOne(env)).messages).toMatchObject([{ status: 'sent', providerId: 'email-webhook' }])
    expect([await inMailbox(env), vendor.requests.length]).toEqual([1, 1])

    await env.put(`/v1/integrations/${made._id}`, { active: false })
    expect(await primaryOf(env)).toBe('mailbox')
    await env.put(`/v1/integrations/${made._id}`, { active: true })
    await env.delete(`/v1/integrations/${made._id}`)
    expect(await primaryOf(env)).toBe('mailbox')
  })

  test('takes nothing over: what the real one refuses is an error, not `sent`', async () => {
    const env = await h.environment()
    await makeWorkflow(env, 'hello', { steps: [emailStep] })
    await makeIntegration(env, mailbox)
    await makeIntegration(env, real('first'))
    vendor.answer = { status: 401 }
    const { messages } = await sendOne(env)
    vendor.answer = { status: 200 }
    expect(messages).toMatchObject([{ status: 'error' }])
    expect(await inMailbox(env)).toBe(0)
  })

  test('nor what the conditions of the real ones exclude', async () => {
    const env = await h.environment()
    await makeWorkflow(env, 'hello', { steps: [emailStep] })
    await makeIntegration(env, mailbox)
    const conditions = [{ children: [{ on: 'payload', field: 'plan', operator: 'EQUAL', value: 'pro' }] }]
    await makeIntegration(env, real('first', { conditions }))
    expect((await sendOne(env)).jobs).toMatchObject([{ status: 'skipped' }])
    expect(await inMailbox(env)).toBe(0)
  })

  test('is the primary again where somebody makes it so, and stays it when more are added or changed', async () => {
    const env = await h.environment()
    await makeWorkflow(env, 'hello', { steps: [emailStep] })
    const { _id } = await makeIntegration(env, mailbox)
    const first = await makeIntegration(env, real('first'))
    expect((await env.post(`/v1/integrations/${_id}/set-primary`)).status).toBe(200)
    await makeIntegration(env, real('second'))
    await env.put(`/v1/integrations/${first._id}`, { name: 'Renamed' })
    expect(await primaryOf(env)).toBe('mailbox')
    await sendOne(env)
    expect(await inMailbox(env)).toBe(1)
  })

  test('an event may name it', async () => {
    const env = await h.environment()
    await makeWorkflow(env, 'hello', { steps: [emailStep] })
    await makeIntegration(env, mailbox)
    await makeIntegration(env, real('first'))
    const to = { subscriberId: 'ada', email: 'ada@example.org' }
    const overrides = { email: { integrationIdentifier: 'mailbox' } }
    await trigger(env, { to, overrides })
    await h.settled()
    expect(await inMailbox(env)).toBe(1)
  })

  test('explain says which one, and why', async () => {
    const env = await h.environment()
    await makeWorkflow(env, 'hello', { steps: [emailStep] })
    await makeIntegration(env, mailbox)
    const event = { name: 'hello', to: { subscriberId: 'ada', email: 'ada@example.org' } }
    const ask = async (more = {}) => {
      const { body } = await env.post('/v1/events/explain', { ...event, ...more })
      return body.recipients[0].steps[0]
    }
    expect(await ask()).toMatchObject({
      integrations: ['mailbox'],
      why: 'It is the primary: it stays in the development mailbox',
    })
    await makeIntegration(env, real('first'))
    expect(await ask()).toMatchObject({ integrations: ['first'], why: 'It is the primary' })
    const overrides = { email: { integrationIdentifier: 'mailbox' } }
    expect(await ask({ overrides })).toMatchObject({
      integrations: ['mailbox'],
      why: 'The event names this integration',
    })
  })
})
