import { expect, test } from 'vitest'
import { type Json, useHarness } from '../../../test/harness.ts'
import { leastCredentials } from '../../../test/integration-samples.ts'
import type { Provider } from '../../providers/provider.ts'

const h = useHarness()

async function catalogue(url?: string): Promise<Json[]> {
  const env = await h.environment()
  const reply = url ? await fetch(`${url}/v1/providers`, { headers: { authorization: `ApiKey ${env.key}` } }) : null
  return reply ? ((await reply.json()) as Json).data : (await env.get('/v1/providers')).body.data
}

test('every provider says all that a form needs', async () => {
  const providers = await catalogue()
  expect(providers.map((it) => it.providerId).sort()).toEqual(h.ctx.providers.all.map((it) => it.id).sort())
  for (const provider of providers) {
    for (const field of provider.credentials) expect(field.label, field.name).toMatch(/\w/)
  }
})

test('a credential has its kind, whether it is secret and required, and its choices', async () => {
  const sendgrid = (await catalogue()).find((it) => it.providerId === 'sendgrid')
  expect(sendgrid).toMatchObject({
    channel: 'email',
    displayName: 'SendGrid',
    tier: 'T2',
    traceable: true,
    canCheck: true,
  })
  expect(sendgrid.documentation).toMatch(/^https:/)
  expect(sendgrid.credentials).toContainEqual({
    name: 'apiKey',
    label: 'API key',
    help: expect.stringContaining('https://app.sendgrid.com/settings/api_keys'),
    kind: 'text',
    secret: true,
    required: true,
    where: false,
  })
  expect(sendgrid.credentials).toContainEqual({
    name: 'region',
    label: 'Region',
    help: expect.any(String),
    kind: 'choice',
    secret: false,
    required: false,
    values: ['global', 'eu'],
    where: true,
  })
})

test('a field is called what the vendor calls it, with what one should know who fills it in', async () => {
  const providers = await catalogue()
  const of = (id: string): Json => providers.find((it) => it.providerId === id)
  const labels = (id: string): Json =>
    Object.fromEntries(of(id).credentials.map((field: Json) => [field.name, field.label]))
  expect(labels('nodemailer')).toMatchObject({
    domain: 'DKIM domain',
    secretKey: 'DKIM private key',
    accountSid: 'DKIM selector',
    secure: 'TLS from the first byte',
  })
  expect(labels('apns')).toEqual({
    secretKey: 'Private key (.p8 file)',
    apiKey: 'Key ID',
    projectName: 'Team ID',
    applicationId: 'Bundle ID',
    secure: 'Production',
  })
  const production = of('apns').credentials.find((field: Json) => field.name === 'secure')
  expect(production.help).toContain('sandbox')
  expect(of('outlook365').needs).toContain('tenant')
  for (const provider of providers) {
    const isNamed = new Set(provider.credentials.map((field: Json) => field.label)).size
    expect(isNamed, provider.providerId).toBe(provider.credentials.length)
    // Who must fill in nothing is told so, or why.
    const needsNothing = provider.credentials.length > 0 && provider.credentials.every((field: Json) => !field.required)
    if (needsNothing && !provider.usesSubscriberWebhook && provider.channel !== 'in_app' && !provider.developmentOnly)
      expect(provider.needs, provider.providerId).toBeTruthy()
  }
})

test('what the catalogue asks for is what an integration needs to be active', async () => {
  const env = await h.environment()
  for (const provider of (await catalogue()).filter((it) => it.available && it.channel !== 'in_app')) {
    const { providerId, channel } = provider
    const required = provider.credentials.filter((field: Json) => field.required)
    if (required.length === 0) continue
    const reply = await env.post('/v1/integrations', { providerId, channel, active: true })
    expect(reply.status, providerId).toBe(422)
    const named = Object.keys(reply.body.errors).map((path) => path.replace('credentials.', ''))
    const least = leastCredentials(h.ctx.providers.find(providerId) as Provider)
    expect(named.sort(), providerId).toEqual(Object.keys(least).sort())
    for (const { name } of required) expect(named, providerId).toContain(name)
    // What a form cannot mark as required is said in words.
    if (named.length > required.length) expect(provider.needs, providerId).toEqual(expect.any(String))
  }
})

test('what is for development only is not available in production', async () => {
  const node = await h.node({ NODE_ENV: 'production', DATABASE_URL: h.databaseUrl })
  const [here, there] = [await catalogue(), await catalogue(node.url)]
  const available = (all: Json[]) => all.find((it) => it.providerId === 'platform-email').available
  expect([available(here), available(there)]).toEqual([true, false])
})
