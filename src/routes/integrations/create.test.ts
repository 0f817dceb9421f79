import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { useSharedHarness } from '../../../test/harness.ts'
import { makeSendgrid } from '../../../test/integration-samples.ts'

const h = useSharedHarness()
const path = '/v1/integrations'
const uuid7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('POST /v1/integrations', () => {
  test('201 with every field of spec 2.4; what was not sent has its default', async () => {
    const env = await h.environment()
    const reply = await env.post(path, { providerId: 'sendgrid', channel: 'email' })
    expect(reply.status).toBe(201)
    expect(reply.body).toEqual({
      _id: expect.stringMatching(uuid7),
      _environmentId: env.environmentId,
      _organizationId: env.organizationId,
      name: 'SendGrid',
      identifier: 'sendgrid',
      providerId: 'sendgrid',
      channel: 'email',
      credentials: {},
      configurations: {},
      active: false,
      deleted: false,
      primary: false,
      conditions: [],
    })
  })

  test('201 with everything that was sent, and the list shows the same integration', async () => {
    const env = await h.environment()
    const sent = {
      providerId: 'nodemailer',
      channel: 'email',
      name: 'Our own relay',
      identifier: 'relay.eu',
      active: true,
      check: false,
      credentials: {
        host: 'smtp.example.com',
        port: '587',
        user: 'mailer',
        password: 'a-long-enough-password',
        secure: false,
        requireTls: true,
        tlsOptions: { minVersion: 'TLSv1.2' },
        from: 'news@example.com',
      },
      configurations: { inboundWebhookEnabled: true, inboundWebhookSigningKey: 'sign-with-this-one' },
    }
    const { check: _, ...stored } = sent
    const reply = await env.post(path, sent)
    expect(reply.status).toBe(201)
    expect(reply.body).toMatchObject({ ...stored, primary: true, deleted: false })
    const [listed] = (await env.get(path)).body
    expect(listed).toMatchObject({ _id: reply.body._id, name: 'Our own relay', identifier: 'relay.eu', primary: true })
    expect(listed.credentials).toMatchObject({ host: 'smtp.example.com', port: '587', secure: false, requireTls: true })
  })

  test('ids, flags and fields that are not the caller’s to set are ignored', async () => {
    const env = await h.environment()
    const forged = '01890000-0000-7000-8000-000000000000'
    const reply = await env.post(path, {
      providerId: 'slack',
      channel: 'chat',
      _id: forged,
      _organizationId: forged,
      deleted: true,
      deletedAt: '2020-01-01T00:00:00.000Z',
      deletedBy: forged,
      primary: true,
      placeholder: true,
      is_primary: true,
      credentials: { clientId: 'abc', nothingOfOurs: 'x' },
    })
    expect(reply.status).toBe(201)
    expect(reply.text).not.toContain(forged)
    expect(reply.body).toMatchObject({ primary: false, deleted: false, credentials: { clientId: 'abc' } })
    expect(reply.body).not.toHaveProperty('deletedAt')
    const { rows } = await sql<{ fields: string[]; placeholder: boolean }>`
      select array(select jsonb_object_keys(credentials)) as fields, placeholder from integration
      where environment_id = ${env.environmentId}`.execute(h.admin)
    expect(rows).toEqual([{ fields: ['clientId'], placeholder: false }])
  })

  test('the in-app provider can be active without credentials, and is never primary', async () => {
    const env = await h.environment()
    const reply = await env.post(path, { providerId: 'platform', channel: 'in_app', active: true })
    expect(reply).toMatchObject({ status: 201, body: { active: true, primary: false, channel: 'in_app' } })
  })

  describe('providerId', () => {
    test('outside the catalogue it is stored, inactive', async () => {
      const env = await h.environment()
      const reply = await env.post(path, {
        providerId: 'carrier pigeon',
        channel: 'email',
        credentials: { token: 'x' },
      })
      expect(reply).toMatchObject({
        status: 201,
        body: { providerId: 'carrier pigeon', name: 'carrier pigeon', identifier: 'carrier-pigeon', active: false },
      })
    })

    test.each([{ active: true }, { check: true }])(
      'outside the catalogue %o is 422, naming the ids of that channel',
      async (extra) => {
        const env = await h.environment()
        const reply = await env.post(path, { providerId: 'pigeon', channel: 'chat', ...extra })
        expect(reply.status).toBe(422)
        const [message] = reply.body.errors.providerId.messages
        for (const { id } of h.ctx.providers.ofChannel('chat')) expect(message).toContain(id)
        expect(message).not.toContain('sendgrid')
        expect(reply.body.errors.providerId.value).toBe('pigeon')
        expect((await env.get(path)).body).toEqual([])
      },
    )

    test.each([
      ['x', 201],
      ['x'.repeat(255), 201],
      ['constructor', 201],
      ['x'.repeat(256), 422],
      ['', 422],
      ['  ', 422],
      ['line\nbreak', 422],
      [7, 422],
      [null, 422],
    ])('%j is %i', async (providerId, status) => {
      const env = await h.environment()
      expect((await env.post(path, { providerId, channel: 'sms' })).status).toBe(status)
    })
  })

  describe('identifier', () => {
    test('made from the name: sendgrid, sendgrid-2, past one that is taken', async () => {
      const env = await h.environment()
      const make = async (extra: object) =>
        (await env.post(path, { providerId: 'sendgrid', channel: 'email', ...extra })).body.identifier
      expect(await make({})).toBe('sendgrid')
      expect(await make({})).toBe('sendgrid-2')
      expect(await make({ identifier: 'sendgrid-3' })).toBe('sendgrid-3')
      expect(await make({})).toBe('sendgrid-4')
      expect(await make({ name: '  Marketing (EU) ' })).toBe('marketing-eu')
      expect(await make({ name: 'Грузия' })).toBe('integration')
      expect((await make({ name: 'n'.repeat(255) })).length).toBeLessThanOrEqual(255)
    })

    test('taken: 409, and nothing is made; another environment may have it', async () => {
      const [env, other] = [await h.environment(), await h.environment()]
      await makeSendgrid(env, { identifier: 'mail' })
      const reply = await env.post(path, { providerId: 'slack', channel: 'chat', identifier: 'mail' })
      expect(reply).toMatchObject({ status: 409, body: { code: 'identifier_taken' } })
      expect((await env.get(path)).body).toHaveLength(1)
      expect((await makeSendgrid(other, { identifier: 'mail' })).identifier).toBe('mail')
    })

    test('free again once its integration is deleted, given or generated', async () => {
      const env = await h.environment()
      const first = await makeSendgrid(env, { identifier: 'mail' })
      await env.delete(`${path}/${first._id}`)
      const second = await makeSendgrid(env, { identifier: 'mail' })
      expect(second._id).not.toBe(first._id)
      const generated = await makeSendgrid(env)
      await env.delete(`${path}/${generated._id}`)
      expect((await makeSendgrid(env)).identifier).toBe(generated.identifier)
    })

    test.each(['name', 'identifier'])(
      '%s takes 1 to 255 characters, not blank, no control characters',
      async (field) => {
        const env = await h.environment()
        const statusOf = async (value: unknown) =>
          (await env.post(path, { providerId: 'slack', channel: 'chat', [field]: value })).status
        for (const good of ['x', 'é', 'x'.repeat(255)]) expect(await statusOf(good), good).toBe(201)
        for (const bad of ['', '   ', 'x'.repeat(256), 'a\tb', 5, null, ['x']]) expect(await statusOf(bad)).toBe(422)
      },
    )
  })

  describe('validation of credentials', () => {
    test.each([
      ['active', { active: true }, 422],
      ['active and blank', { active: true, credentials: { apiKey: '' } }, 422],
      ['active and null', { active: true, credentials: { apiKey: null } }, 422],
      ['check', { check: true }, 422],
      ['check of an inactive one', { active: false, check: true }, 422],
      ['check with all it needs', { check: true, credentials: { apiKey: 'k' } }, 201],
      ['inactive', { active: false }, 201],
      ['inactive with some', { credentials: { senderName: 'x' } }, 201],
      ['check: false', { check: false }, 201],
      ['active with all it needs', { active: true, credentials: { apiKey: 'k' } }, 201],
    ])('%s', async (_name, extra, status) => {
      const env = await h.environment()
      const reply = await env.post(path, { providerId: 'sendgrid', channel: 'email', ...extra })
      expect(reply.status).toBe(status)
      if (status === 422) expect(Object.keys(reply.body.errors)).toEqual(['credentials.apiKey'])
    })

    const gateway = { baseUrl: 'https://sms.example.com', apiKeyRequestHeader: 'X-Key', apiKey: 'k' }
    test.each([
      ['twilio', 'sms', { accountSid: 'AC1' }, ['token']],
      ['twilio', 'sms', { accountSid: 'AC1', apiKey: 'SK1' }, ['secretKey']],
      ['twilio', 'sms', { accountSid: 'AC1', apiKey: 'SK1', secretKey: 's' }, []],
      ['outlook365', 'email', { clientId: 'c' }, ['secretKey', 'domain']],
      ['outlook365', 'email', { password: 'p' }, []],
      ['getstream', 'chat', { apiKey: 'k' }, ['secretKey', 'senderId']],
      ['getstream', 'chat', { apiKey: 'k', baseUrl: 'https://relay.example.com' }, []],
      ['generic-sms', 'sms', { ...gateway, authenticateByToken: true }, ['domain', 'authenticationTokenKey']],
      ['generic-sms', 'sms', gateway, []],
    ])(
      '%s for %s, active with %j: one way to sign in must be whole',
      async (providerId, channel, credentials, named) => {
        const env = await h.environment()
        const reply = await env.post(path, { providerId, channel, active: true, credentials })
        expect(Object.keys(reply.body.errors ?? {})).toEqual(named.map((name) => `credentials.${name}`))
        expect(reply.status).toBe(named.length > 0 ? 422 : 201)
      },
    )

    test.each([
      ['a number', { apiKey: 123456789 }, 'credentials.apiKey'],
      ['a list', { apiKey: ['123456789'] }, 'credentials.apiKey'],
      ['a nested list', { token: [['123456789']] }, 'credentials.token'],
      ['text for a flag', { secure: '123456789' }, 'credentials.secure'],
      ['a list for an object', { tlsOptions: ['123456789'] }, 'credentials.tlsOptions'],
      ['no object at all', '123456789', 'credentials'],
    ])('%s is 422 naming the field and never showing the value', async (_name, credentials, field) => {
      const env = await h.environment()
      const reply = await env.post(path, { providerId: 'sendgrid', channel: 'email', credentials })
      expect(reply.status).toBe(422)
      expect(Object.keys(reply.body.errors)).toEqual([field])
      expect(reply.text).not.toContain('123456789')
    })
  })

  test('_environmentId: the key’s own is fine, any other is 403 and nothing is made', async () => {
    const [env, other] = [await h.environment(), await h.environment()]
    const body = { providerId: 'slack', channel: 'chat' }
    expect((await env.post(path, { ...body, _environmentId: env.environmentId })).status).toBe(201)
    for (const foreign of [other.environmentId, 'garbage', '']) {
      const reply = await env.post(path, { ...body, _environmentId: foreign })
      expect(reply).toMatchObject({ status: 403, body: { code: 'environment_mismatch' } })
    }
    expect((await env.get(path)).body).toHaveLength(1)
    expect((await other.get(path)).body).toEqual([])
  })

  test('the first of a provider adopts the placeholder that came with a subscriber’s tokens', async () => {
    const env = await h.environment()
    await env.post('/v2/subscribers', { subscriberId: 'ada' })
    await env.put('/v1/subscribers/ada/credentials', { providerId: 'fcm', credentials: { deviceTokens: ['t'] } })
    const [placeholder] = (await env.get(path)).body
    expect(placeholder).toMatchObject({ providerId: 'fcm', active: false })
    const body = { providerId: 'fcm', channel: 'push', active: true, credentials: { serviceAccount: '{}' } }
    const adopted = await env.post(path, { ...body, identifier: 'phones' })
    expect(adopted).toMatchObject({ status: 201, body: { _id: placeholder._id, identifier: 'phones', active: true } })
    expect((await env.post(path, body)).body._id).not.toBe(placeholder._id)
    const { channels } = (await env.get('/v2/subscribers/ada')).body
    expect(channels).toMatchObject([{ _integrationId: placeholder._id, integrationIdentifier: 'phones' }])
  })
})

test('an environment has at most 500 integrations, however many are made at once; a deleted one makes room', async () => {
  const env = await h.environment()
  await makeSendgrid(env)
  await sql`
    insert into integration (environment_id, id, provider_id, channel, name, identifier, active)
    select ${env.environmentId}, gen_random_uuid(), 'sendgrid', 'email', 'n', 'n-' || n, false
    from generate_series(1, 494) n`.execute(h.admin)
  const sent = { providerId: 'sendgrid', channel: 'email' }
  const replies = await Promise.all(Array.from({ length: 12 }, () => env.post(path, sent)))
  expect(replies.filter((it) => it.status === 201)).toHaveLength(5)
  const refused = replies.filter((it) => it.status !== 201)
  expect(new Set(refused.map((it) => `${it.status} ${it.body.code}`))).toEqual(new Set(['409 too_many_integrations']))
  // Nor by the way of a token for a provider without an integration.
  expect((await env.post('/v2/subscribers', { subscriberId: 'ada' })).status).toBe(201)
  const fcm = { providerId: 'fcm', credentials: { deviceTokens: ['t'] } }
  expect((await env.put('/v1/subscribers/ada/credentials', fcm)).body.code).toBe('too_many_integrations')
  const made = replies.find((it) => it.status === 201)
  expect((await env.delete(`${path}/${made?.body._id}`)).status).toBe(200)
  expect((await env.post(path, sent)).status).toBe(201)
})
