import { createECDH, generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { sampleValue } from '../../test/integration-samples.ts'
import { samples } from '../../test/providers/provider-samples.ts'
import { tryProvider } from '../../test/providers/try-provider.ts'
import { credentialNames } from './credential-names.ts'
import { type CredentialField, loadProviders, type Provider } from './provider.ts'

const { all } = await loadProviders()
const fieldsOf = (provider: Provider) => Object.entries(provider.credentials) as [string, CredentialField][]

const pair = createECDH('prime256v1')
pair.generateKeys()
const vapid = {
  apiKey: pair.getPublicKey('base64url'),
  secretKey: pair.getPrivateKey('base64url'),
  senderId: 'mailto:a@b.c',
}

/** A device token that leads somewhere: a browser's says where. */
function tokenAt(provider: Provider, address: string): string {
  if (provider.id !== 'web-push') return address
  const keys = { p256dh: vapid.apiKey, auth: Buffer.alloc(16).toString('base64url') }
  return JSON.stringify({ endpoint: address, keys })
}

/** Credentials with which each provider sends something somewhere. */
function working(provider: Provider): Record<string, unknown> {
  const samples = Object.fromEntries(fieldsOf(provider).map(([name, field]) => [name, sampleValue(name, field)]))
  const key = (type: 'rsa' | 'ec') =>
    (type === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' })
    ).privateKey
      .export({ type: 'pkcs8', format: 'pem' })
      .toString()
  switch (provider.id) {
    case 'fcm':
    case 'google-chat':
      return { serviceAccount: JSON.stringify({ project_id: 'p', client_email: 'a@b.c', private_key: key('rsa') }) }
    case 'apns':
      return { ...samples, secretKey: key('ec') }
    case 'web-push':
      return vapid
    case 'azure-sms':
      return { ...samples, accessKey: 'endpoint=https://a.communication.azure.com/;accesskey=eA==' }
    case 'generic-sms':
      return { ...samples, domain: 'https://tokens.example.com/x', authenticateByToken: false }
    case 'infobip-sms':
      return { ...samples, baseUrl: 'a.api.infobip.com' }
    case 'twilio':
      return { ...samples, region: 'us1' }
    default:
      return samples
  }
}

/** Other values worth a try, for a field of any kind. */
function others(name: string, { kind, values }: CredentialField): unknown[] {
  switch (kind) {
    case 'flag':
      return [true, false]
    case 'choice':
      return [...(values ?? [])]
    case 'url':
      return ['https://other.example.net/x', undefined]
    case 'host':
      return ['other.example.net']
    case 'port':
      return ['25']
    case 'object':
      return [{}]
    case 'text':
      return ['sandbox', 'other', 'ie1', 'b.api.infobip.com', undefined, `other-${name}`]
  }
}

const teamsChannel = { type: 'ms_teams_channel', endpoint: { teamId: 't', channelId: '19:c@thread.tacv2' } } as const
const json = { access_token: 't', expires_in: 3600, data: { token: 't' } }

/** Which servers it talks to. */
async function serversOf(provider: Provider, credentials: Record<string, unknown>): Promise<Set<string>> {
  // A subscriber is where the integration is.
  const webhookUrl = typeof credentials.baseUrl === 'string' ? credentials.baseUrl : samples.chat.webhookUrl
  // App IO sends no shorter texts.
  const message = {
    webhookUrl,
    token: tokenAt(provider, 'https://push.example.com/1'),
    title: 'Your order',
    body: 'Your order is on its way. '.repeat(4),
    // Webhooks of Teams need no credentials, its bot does.
    ...(provider.id === 'msteams' && { to: teamsChannel }),
  }
  const tried = tryProvider(provider, { credentials, message, http: () => ({ status: 200, json }) })
  // Values no integration could be saved with may throw: what was called before counts.
  await tried.send().catch(() => {})
  const origins = tried.requests.flatMap(({ url }) => URL.parse(url)?.hostname ?? [])
  return new Set([...origins, ...tried.mails.map(({ server }) => server.host)])
}

test('exactly the fields that lead to another server are marked `where`', async () => {
  const [marked, found]: [string[], string[]] = [[], []]
  for (const provider of all) {
    if (!provider.send) continue
    const credentials = working(provider)
    const usual = await serversOf(provider, credentials)
    for (const [name, field] of fieldsOf(provider)) {
      if (field.secret && field.kind !== 'url') continue
      if (field.where) marked.push(`${provider.id} ${name}`)
      // A switch may hide the field that it switches on.
      const switched = provider.id === 'generic-sms' && name === 'domain' ? { authenticateByToken: true } : {}
      for (const value of others(name, field)) {
        const servers = await serversOf(provider, { ...credentials, ...switched, [name]: value })
        if (servers.difference(usual).size > 0) {
          found.push(`${provider.id} ${name}`)
          break
        }
      }
    }
  }
  expect(found.length).toBeGreaterThan(20)
  expect(found).toEqual(marked)
})

const evil = 'evil.example.org'
const address = `https://${evil}/x`
/** A message that names a place of its own wherever it can. */
const overrides = Object.fromEntries(
  [...credentialNames, 'url', 'endpoint', 'server', 'hostname', 'authorization'].map((name) => [name, address]),
)
const luring = {
  chat: { webhookUrl: address, channel: address, phone: address, overrides },
  push: { overrides },
  sms: { to: address, overrides },
  email: { overrides },
  in_app: {},
}

test.each(all.filter(({ send }) => send))(
  '$id sends no secret to a host that only the message named',
  async (provider) => {
    const whole = working(provider)
    const optional = fieldsOf(provider).filter(([, { required, secret }]) => !required && !secret)
    // Also integrations of the time before a field was required.
    const bare = optional.concat(fieldsOf(provider).filter(([, { where }]) => where)).map(([name]) => [name, undefined])
    for (const credentials of [whole, { ...whole, ...Object.fromEntries(bare) }]) {
      const lure = tokenAt(provider, address)
      const message = {
        ...luring[provider.channel],
        ...(provider.channel === 'push' && { token: lure, tokens: [lure] }),
      }
      const tried = tryProvider(provider, { credentials, message, http: () => ({ status: 200, json }) })
      await tried.send().catch(() => {})
      const secrets = fieldsOf(provider).flatMap(([name, { secret }]) => (secret ? String(whole[name]) : []))
      const there = JSON.stringify(tried.requests.filter(({ url }) => URL.parse(url)?.hostname === evil))
      const decoded = (there.match(/[\w+/=-]{8,}/g) ?? []).map((word) => Buffer.from(word, 'base64').toString())
      const sent = [there, ...decoded].join(' ')
      expect(secrets.filter((it) => sent.includes(it) || sent.includes(encodeURIComponent(it)))).toEqual([])
      expect(tried.mails.filter(({ server }) => server.host === evil)).toEqual([])
    }
  },
)
