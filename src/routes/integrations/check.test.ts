import { describe, expect, test } from 'vitest'
import { useHarness } from '../../../test/harness.ts'
import { allowing, smtpServer } from '../../../test/outside.ts'
import { startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { startSmtpReceiver } from '../../../test/peers/smtp-receiver.ts'

const password = 'correct-horse-battery'
const mail = await startSmtpReceiver({ auth: { user: 'ada', password } })
const gone = await startHttpReceiver()
await gone.close()
const h = useHarness(allowing(mail.port, gone.port))

const server = (given: string, port = mail.port) => ({
  ...smtpServer(port, { user: 'ada', password: given }),
  check: true,
})

describe('check: true', () => {
  test('a good login is saved; a refused one is 400 with the words of the provider, and nothing is saved', async () => {
    const env = await h.environment()
    const refused = await env.post('/v1/integrations', server('wrong-horse-battery'))
    expect(refused).toMatchObject({ status: 400, body: { code: 'integration_check_failed' } })
    expect(refused.body.message).toContain('535')
    expect(refused.text).not.toContain('wrong-horse-battery')
    expect((await env.get('/v1/integrations')).body).toEqual([])
    const made = await env.post('/v1/integrations', server(password))
    expect(made).toMatchObject({ status: 201, body: { check: { outcome: 'accepted' } } })

    const path = `/v1/integrations/${made.body._id}`
    const changed = await env.put(path, {
      check: true,
      name: 'Worse',
      credentials: { password: 'wrong-horse-battery' },
    })
    expect(changed.body.code).toBe('integration_check_failed')
    // Stored fields that are not sent are checked too.
    const renamed = await env.put(path, { check: true, name: 'Better' })
    expect(renamed).toMatchObject({ status: 200, body: { name: 'Better' } })
    expect(mail.mails).toEqual([])
  })

  test('is judged as a whole first: what is missing is 422 and nobody is called', async () => {
    const env = await h.environment()
    const before = mail.connections.total
    const reply = await env.post('/v1/integrations', { providerId: 'nodemailer', channel: 'email', check: true })
    expect(Object.keys(reply.body.errors)).toContain('credentials.host')
    const foreign = await env.post('/v1/integrations', { ...server(password), _environmentId: 'another' })
    expect(foreign.status).toBe(403)
    expect((await env.put('/v1/integrations/unknown', { check: true })).status).toBe(404)
    const unknown = await env.post('/v1/integrations', { providerId: 'carrier-pigeon', channel: 'sms', check: true })
    expect(Object.keys(unknown.body.errors)).toEqual(['providerId'])
    expect(mail.connections.total).toBe(before)
  })

  test('a provider that is away, or silent for 5 s, does not stop the save', async () => {
    const env = await h.environment()
    const away = await env.post('/v1/integrations', server(password, gone.port))
    const reason = expect.stringContaining('refused the connection')
    expect(away).toMatchObject({ status: 201, body: { check: { outcome: 'not_reached', reason } } })
    const listed = (await env.get('/v1/integrations')).body
    expect(listed[0]).not.toHaveProperty('check')
    mail.script = { connect: 'hang' }
    const startedAt = Date.now()
    const silent = await env.post('/v1/integrations', server(password))
    mail.script = {}
    expect(silent).toMatchObject({ status: 201, body: { check: { outcome: 'not_reached' } } })
    expect(Date.now() - startedAt).toBeLessThan(8_000)
  })

  test('where nothing can be checked it says so', async () => {
    const env = await h.environment()
    const { body } = await env.post('/v1/integrations', { providerId: 'platform-email', channel: 'email', check: true })
    expect(body.check).toEqual({ outcome: 'not_checked', reason: expect.stringContaining('a test message tells') })
  })

  test('with an idempotency key: checked once, saved once, and a refusal is remembered', async () => {
    const env = await h.environment()
    const before = mail.connections.total
    const send = (body: object, key: string) =>
      env.post('/v1/integrations', body, { 'idempotency-key': key, 'x-request-id': key })
    const replies = await Promise.all(Array.from({ length: 5 }, () => send(server(password), 'a')))
    expect(new Set(replies.map((reply) => reply.body._id)).size).toBe(1)
    expect(replies.map((reply) => reply.status)).toEqual([201, 201, 201, 201, 201])
    expect((await env.get('/v1/integrations')).body).toHaveLength(1)
    expect(mail.connections.total - before).toBe(1)
    const refused = await send(server('wrong-horse-battery'), 'b')
    const again = await send(server('wrong-horse-battery'), 'b')
    expect(again.text).toBe(refused.text)
    expect(again.headers.get('idempotency-replay')).toBe('true')
  })
})

describe('configurations.whenUnknown', () => {
  test('is one of two words, shown as it is, and null clears it', async () => {
    const env = await h.environment()
    const body = { providerId: 'nodemailer', channel: 'email', configurations: { whenUnknown: 'atMostOnce' } }
    const { _id } = (await env.post('/v1/integrations', body)).body
    const shown = async () => (await env.get('/v1/integrations')).body[0].configurations
    expect(await shown()).toEqual({ whenUnknown: 'atMostOnce' })
    const path = `/v1/integrations/${_id}`
    expect((await env.put(path, { configurations: { whenUnknown: 'sometimes' } })).status).toBe(422)
    await env.put(path, { configurations: { inboundWebhookSigningKey: 'a-secret-signing-key' } })
    expect(await shown()).toEqual({ whenUnknown: 'atMostOnce', inboundWebhookSigningKey: '••••-key' })
    await env.put(path, { configurations: { whenUnknown: null } })
    expect(await shown()).toEqual({ inboundWebhookSigningKey: '••••-key' })
  })
})
