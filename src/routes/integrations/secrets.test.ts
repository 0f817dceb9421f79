import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type Client, useHarness } from '../../../test/harness.ts'
import { makeSendgrid, openedCredentials } from '../../../test/integration-samples.ts'

const h = useHarness()
const path = '/v1/integrations'

const smtp = { providerId: 'nodemailer', channel: 'email', active: true }
const secrets = { password: 'hunter2-hunter2-hunter2', secretKey: '-----BEGIN PRIVATE KEY-----' }
const open = { host: 'smtp.example.com', port: '587', user: 'mailer' }

type Sealed = { id: string; credentials: Record<string, string>; configurations: Record<string, string> }

async function rowsOf(env: Client): Promise<Sealed[]> {
  const { rows } = await sql<Sealed>`
    select id, credentials, configurations from integration where environment_id = ${env.environmentId} order by id`.execute(
    h.admin,
  )
  return rows
}

async function overwrite(env: Client, row: Sealed): Promise<void> {
  await sql`
    update integration set credentials = ${JSON.stringify(row.credentials)}, configurations = ${JSON.stringify(row.configurations)}
    where environment_id = ${env.environmentId} and id = ${row.id}`.execute(h.admin)
}

describe('what a reply shows of credentials', () => {
  test('create echoes exactly what was sent; list, active and delete show masks', async () => {
    const env = await h.environment()
    const sent = { ...open, ...secrets }
    const made = await env.post(path, { ...smtp, credentials: sent })
    expect(made.body.credentials).toEqual(sent)
    const other = await makeSendgrid(env)
    for (const reply of [
      await env.get(path),
      await env.get(`${path}/active`),
      await env.delete(`${path}/${other._id}`),
    ]) {
      const shown = reply.body.find((it: { _id: string }) => it._id === made.body._id)
      expect(shown.credentials).toEqual({ ...open, password: '••••ter2', secretKey: '••••----' })
      for (const secret of Object.values(secrets)) expect(reply.text).not.toContain(secret)
    }
  })

  test('update echoes what it sent and masks the stored secrets it did not send', async () => {
    const env = await h.environment()
    const made = await env.post(path, { ...smtp, credentials: { ...open, ...secrets } })
    const reply = await env.put(`${path}/${made.body._id}`, { credentials: { password: 'correct-horse-battery' } })
    expect(reply.body.credentials).toEqual({ ...open, password: 'correct-horse-battery', secretKey: '••••----' })
    const renamed = await env.put(`${path}/${made.body._id}`, { name: 'x' })
    expect(renamed.body.credentials).toEqual({ ...open, password: '••••tery', secretKey: '••••----' })
    const primary = await env.post(`${path}/${made.body._id}/set-primary`)
    expect(primary.body.credentials).toEqual(renamed.body.credentials)
  })

  test.each([
    ['12345678901', '••••'],
    ['123456789012', '••••9012'],
    ['', '••••'],
    // Four whole characters: half of a surrogate pair could not be sent back.
    ['pass-phrase-🙂abc', '••••🙂abc'],
    ['passphrases-🙂ab🙂', '••••🙂ab🙂'],
    ['🙂'.repeat(11), '••••'],
  ])('%j is shown as %j, and sending that back changes nothing', async (secret, mask) => {
    const env = await h.environment()
    const made = await makeSendgrid(env, { active: false, credentials: { apiKey: secret } })
    const [shown] = (await env.get(path)).body
    expect(shown.credentials).toEqual({ apiKey: mask })
    const reply = await env.put(`${path}/${made._id}`, { name: 'x', credentials: shown.credentials })
    expect(reply).toMatchObject({ status: 200, body: { credentials: { apiKey: mask } } })
    expect(await openedCredentials(h, env)).toEqual({ [made._id]: { apiKey: secret } })
  })

  test('what a whole reply shows can be sent back as a whole: nothing changes', async () => {
    const env = await h.environment()
    const made = await env.post(path, {
      ...smtp,
      credentials: { ...open, ...secrets, tlsOptions: { ca: 'pem' } },
      configurations: { inboundWebhookSigningKey: 'the-signing-key-1', inboundWebhookEnabled: true },
    })
    const [shown] = (await env.get(path)).body
    expect(shown.credentials.tlsOptions).toEqual({ ca: 'pem' })
    const before = await openedCredentials(h, env)
    expect((await env.put(`${path}/${made.body._id}`, shown)).status).toBe(200)
    expect(await openedCredentials(h, env)).toEqual(before)
    expect((await env.get(path)).body).toEqual([shown])
  })

  test('a mask with nothing stored behind it is 422, in credentials and in configurations', async () => {
    const env = await h.environment()
    const made = await makeSendgrid(env)
    const at = `${path}/${made._id}`
    const inCredentials = await env.put(at, { credentials: { token: '••••abcd' } })
    expect(inCredentials.status).toBe(422)
    expect(Object.keys(inCredentials.body.errors)).toEqual(['credentials.token'])
    const inConfigurations = await env.put(at, { configurations: { inboundWebhookSigningKey: '••••abcd' } })
    expect(inConfigurations.status).toBe(422)
    expect(Object.keys(inConfigurations.body.errors)).toEqual(['configurations.inboundWebhookSigningKey'])
    const created = await env.post(path, { providerId: 'ses', channel: 'email', credentials: { apiKey: '••••' } })
    expect(created.status).toBe(422)
  })

  test('a field its provider does not declare counts as secret', async () => {
    const env = await h.environment()
    await makeSendgrid(env, { credentials: { apiKey: 'k', token: 'a-token-of-some-kind' } })
    await env.post(path, { providerId: 'pigeon', channel: 'chat', credentials: { user: 'somebody-or-other' } })
    const [sendgrid, pigeon] = (await env.get(path)).body
    expect(sendgrid.credentials).toEqual({ apiKey: '••••', token: '••••kind' })
    expect(pigeon.credentials).toEqual({ user: '••••ther' })
  })
})

describe('credentials in the database', () => {
  test('are sealed field by field: no secret, and no other value either, is readable', async () => {
    const env = await h.environment()
    const configurations = { inboundWebhookSigningKey: 'the-signing-key-1' }
    await env.post(path, { ...smtp, credentials: { ...open, ...secrets }, configurations }, { 'idempotency-key': 'k' })
    const [row] = await rowsOf(env)
    expect(Object.keys(row?.credentials ?? {}).toSorted()).toEqual(Object.keys({ ...open, ...secrets }).toSorted())
    for (const sealed of Object.values({ ...row?.credentials, ...row?.configurations })) {
      expect(sealed).toMatch(/^sealed\.t1\.[\w-]{40,}$/)
    }
    const { rows } = await sql<{ row: unknown }>`
      select to_jsonb(i) as row from integration i where environment_id = ${env.environmentId}
      union all select to_jsonb(i) from idempotency i where environment_id = ${env.environmentId}`.execute(h.admin)
    expect(rows).toHaveLength(2)
    for (const secret of [...Object.values(secrets), 'the-signing-key-1', 'smtp.example.com']) {
      expect(JSON.stringify(rows)).not.toContain(secret)
    }
  })

  test('are sealed anew at each write: equal secrets do not look equal', async () => {
    const env = await h.environment()
    await makeSendgrid(env)
    await makeSendgrid(env)
    const [first, second] = await rowsOf(env)
    expect(first?.credentials.apiKey).not.toBe(second?.credentials.apiKey)
  })

  const victim = 'the-victims-own-secret'
  const swaps: [string, (mine: Sealed, other: Sealed) => Sealed][] = [
    [
      'that of another row',
      (mine, other) => ({ ...mine, credentials: { ...mine.credentials, apiKey: other.credentials.apiKey ?? '' } }),
    ],
    [
      'that of another field',
      (mine) => ({ ...mine, credentials: { ...mine.credentials, from: mine.credentials.apiKey ?? '' } }),
    ],
    ['that of another column', (mine) => ({ ...mine, configurations: { apiKey: mine.credentials.apiKey ?? '' } })],
    ['plain text', (mine) => ({ ...mine, credentials: { apiKey: '"plain"' } })],
    ['a cut text', (mine) => ({ ...mine, credentials: { apiKey: (mine.credentials.apiKey ?? '').slice(0, 20) } })],
    ['that of an unknown key', (mine) => ({ ...mine, credentials: { apiKey: 'sealed.t9.AAAA' } })],
  ]
  test.each(swaps)(
    'a ciphertext replaced by %s is refused: 500 without inner text, never the secret',
    async (_name, swap) => {
      const env = await h.environment()
      const mine = await makeSendgrid(env, { credentials: { apiKey: 'my-own-secret-text' } })
      await makeSendgrid(env, { credentials: { apiKey: victim } })
      const [first, second] = await rowsOf(env)
      if (!first || !second) throw new Error('two integrations were made')
      await overwrite(env, swap(first, second))
      await expectRefused(env, mine._id)
      await overwrite(env, first)
      expect((await env.get(path)).status).toBe(200)
    },
  )

  test('a ciphertext from another environment is refused, even under the same row id', async () => {
    const [env, other] = [await h.environment(), await h.environment()]
    const mine = await makeSendgrid(env, { credentials: { apiKey: 'my-own-secret-text' } })
    await makeSendgrid(other, { credentials: { apiKey: victim } })
    const [[row], [foreign]] = [await rowsOf(env), await rowsOf(other)]
    if (!row || !foreign) throw new Error('two integrations were made')
    await overwrite(env, { ...row, credentials: foreign.credentials })
    await expectRefused(env, mine._id)
    await sql`update integration set id = ${foreign.id} where environment_id = ${env.environmentId}`.execute(h.admin)
    await expectRefused(env, foreign.id)
  })

  async function expectRefused(env: Client, id: string): Promise<void> {
    for (const reply of [
      await env.get(path),
      await env.get(`${path}/active`),
      await env.put(`${path}/${id}`, { credentials: { senderName: 'x' } }),
      await env.put(`${path}/${id}`, { name: 'x' }),
      await env.post(`${path}/${id}/set-primary`),
    ]) {
      expect(reply).toMatchObject({ status: 500, body: { code: 'internal_error' } })
      expect(reply.body.message).toBe('Something went wrong on our side; the requestId finds it in the log.')
      expect(reply.text).not.toMatch(/victim|authenticate|decipher|encryption key|sealed|\bat \w/)
    }
  }
})
