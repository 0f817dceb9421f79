import { describe, expect, test } from 'vitest'
import { type Client, type Json, useHarness } from '../../../test/harness.ts'
import { openedCredentials, sampleCredentials } from '../../../test/integration-samples.ts'
import { allowing } from '../../../test/outside.ts'
import { startHttpReceiver } from '../../../test/peers/http-receiver.ts'
import { type CredentialField, loadProviders, type Provider } from '../../providers/provider.ts'

// The new place: whatever connects to it has taken a secret there.
const peer = await startHttpReceiver()
const h = useHarness(allowing(peer.port))
const { all } = await loadProviders()

/** Another valid value of a field that decides where secrets go. */
function elsewhere({ kind, values }: CredentialField, stored: unknown): Json {
  if (kind === 'flag') return stored !== true
  if (kind === 'choice') return values?.find((value) => value !== stored)
  return {
    url: `${peer.url}/x`,
    host: '127.0.0.1',
    port: '465',
    text: 'elsewhere',
    object: {},
  }[kind]
}

const fieldsOf = (provider: Provider) => Object.entries(provider.credentials) as [string, CredentialField][]
const cases = all.flatMap((provider) => {
  const secrets = (moved: string) => fieldsOf(provider).filter(([name, { secret }]) => secret && name !== moved)
  return fieldsOf(provider)
    .filter(([name, field]) => field.where && secrets(name).length > 0)
    .map(([name, field]) => ({
      provider,
      id: provider.id,
      name,
      field,
      secrets: secrets(name).map(([secret]) => secret),
    }))
})

async function make(env: Client, provider: Provider): Promise<Json> {
  const samples = sampleCredentials(provider, () => true)
  const credentials = { ...samples, ...(samples.port && { port: String(peer.port) }) }
  const { id: providerId, channel } = provider
  const made = await env.post('/v1/integrations', { providerId, channel, active: false, credentials })
  expect(made.status, made.text).toBe(201)
  return { path: `/v1/integrations/${made.body._id}`, id: made.body._id, credentials }
}

describe('a stored secret does not go to a new place', () => {
  test('there are such fields', () => {
    expect(cases.map(({ id, name }) => `${id} ${name}`)).toEqual(
      expect.arrayContaining(['mailgun baseUrl', 'nodemailer host', 'ses region', 'apns secure']),
    )
  })

  test.each(cases)('$id: another $name needs the secrets again', async ({ provider, name, field, secrets }) => {
    const env = await h.environment()
    const { path, id, credentials } = await make(env, provider)
    const stored = (await openedCredentials(h, env))[id]
    const place = elsewhere(field, credentials[name])
    const masks = Object.fromEntries(secrets.map((secret) => [secret, '••••']))
    const before = peer.connections.total
    const ways = [{ [name]: place }, { ...masks, [name]: place }]
    for (const body of ways.flatMap((way) => [{ credentials: way }, { credentials: way, check: true }])) {
      const refused = await env.put(path, body)
      expect(refused.status, refused.text).toBe(422)
      for (const secret of secrets) {
        const { messages } = refused.body.errors[`credentials.${secret}`]
        expect(messages).toEqual([expect.stringContaining(`credentials.${name} changed`)])
      }
    }
    expect((await openedCredentials(h, env))[id]).toEqual(stored)
    expect(peer.connections.total).toBe(before)

    // The same place once more, or the secrets with it: all is well.
    expect((await env.put(path, { credentials: { [name]: credentials[name] } })).status).toBe(200)
    const again = Object.fromEntries(secrets.map((secret) => [secret, credentials[secret]]))
    const moved = await env.put(path, { credentials: { ...again, [name]: place } })
    expect(moved.status, moved.text).toBe(200)
  })

  test('a secret that is cleared, and one that never was there, need not be sent', async () => {
    const env = await h.environment()
    const nodemailer = { providerId: 'nodemailer', channel: 'email', active: false }
    const credentials = { host: 'smtp.example.com', port: '587', user: 'u', password: 'p' }
    const { body } = await env.post('/v1/integrations', { ...nodemailer, credentials })
    const path = `/v1/integrations/${body._id}`
    expect((await env.put(path, { credentials: { host: 'other.example.com', password: null } })).status).toBe(200)
    expect((await env.put(path, { credentials: { host: 'third.example.com' } })).status).toBe(200)
  })
})
