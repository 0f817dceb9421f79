import { stringCredentials } from '../../../src/providers/credential-names.ts'
import type { Client } from '../../../test/harness.ts'
import { clientOf, type Reply, type Tenant } from '../../lib/http.ts'
import { textAt } from '../../lib/json.ts'
import type { ApiNode } from '../../lib/process.ts'
import type { World } from '../../lib/world.ts'
import { type Canary, newCanary } from '../../oracles/canary.ts'

export type SecretsStage = {
  world: World
  nodes: readonly [ApiNode, ApiNode]
  /** `id:base64` of the key in use. */
  oldKey: string
  bootstrapKey: string
}

export type PlantedSecrets = {
  tenant: Tenant
  client: Client
  /** In fields that every reply masks; the others are shown to whoever may read the subscriber. */
  masked: Canary[]
  shown: Canary[]
  integrationIds: string[]
  /** What creating them answered: the one place where they may stand. */
  echoes: string[]
}

let turn = 0
const app = 'slack-app'

/** Canaries in every place a secret can be put into. */
export async function plantSecrets({ world, nodes }: SecretsStage): Promise<PlantedSecrets> {
  const tenant = await world.tenant()
  const client = clientOf(
    nodes.map((node) => node.url),
    tenant,
  )
  const [masked, shown]: [Canary[], Canary[]] = [[], []]
  const put = (list: Canary[], place: string, wrap = (text: string) => text) => {
    const canary = newCanary(world.random, place)
    list.push(canary)
    return wrap(canary.text)
  }
  const secret = (place: string) => put(masked, place)
  const hook = (list: Canary[], place: string) => put(list, place, (text) => `https://hooks.example.com/${text}`)
  const bodies = [
    {
      providerId: 'sendgrid',
      channel: 'email',
      active: true,
      credentials: { apiKey: secret('sendgrid apiKey'), from: 'a@example.com' },
      configurations: { inboundWebhookEnabled: true, inboundWebhookSigningKey: secret('signing key') },
    },
    {
      providerId: 'nodemailer',
      channel: 'email',
      credentials: {
        host: 'smtp.example.com',
        port: '587',
        user: 'u',
        password: secret('SMTP password'),
        secretKey: secret('DKIM key'),
        tlsOptions: { passphrase: secret('TLS passphrase'), key: secret('TLS key') },
      },
    },
    {
      providerId: 'generic-sms',
      channel: 'sms',
      active: true,
      credentials: {
        baseUrl: 'https://sms.example.com/',
        apiKeyRequestHeader: 'x-key',
        apiKey: secret('SMS key'),
        secretKey: secret('SMS secret'),
      },
    },
    {
      providerId: 'push-webhook',
      channel: 'push',
      credentials: { webhookUrl: hook(masked, 'webhook URL'), secretKey: secret('webhook secret') },
    },
    {
      providerId: 'slack',
      channel: 'chat',
      active: true,
      identifier: app,
      credentials: { clientId: 'client', secretKey: secret('client secret') },
    },
    // Nobody declares this provider: all it is given counts as secret.
    {
      providerId: 'of-our-own',
      channel: 'chat',
      credentials: Object.fromEntries(stringCredentials.map((name) => [name, secret(`undeclared ${name}`)])),
    },
  ]
  const [integrationIds, echoes]: [string[], string[]] = [[], []]
  for (const body of bodies) {
    const reply = await made(client.post('/v1/integrations', body, { 'idempotency-key': `plant-${++turn}` }))
    integrationIds.push(textAt(reply.body, '_id'))
    echoes.push(reply.text)
  }
  await made(client.post('/v2/subscribers', { subscriberId: 'ada', firstName: 'plainly-readable' }))
  const channels = [
    { providerId: 'fcm', credentials: { deviceTokens: [put(shown, 'device token'), put(shown, 'device token')] } },
    { providerId: 'slack', credentials: { webhookUrl: hook(shown, 'Slack URL') } },
    {
      providerId: 'grafana-on-call',
      credentials: { alertUid: put(shown, 'alert uid'), externalUrl: hook(shown, 'external URL') },
    },
  ]
  for (const channel of channels) {
    echoes.push(
      (await made(client.put('/v1/subscribers/ada/credentials', channel, { 'idempotency-key': `plant-${++turn}` })))
        .text,
    )
  }
  await made(
    client.post('/v1/channel-connections', {
      identifier: 'workspace',
      integrationIdentifier: app,
      workspace: { id: 'T0' },
      auth: { accessToken: secret('access token'), refreshToken: secret('refresh token') },
    }),
  )
  const places = [
    { identifier: 'channel', type: 'slack_channel', endpoint: { channelId: put(shown, 'Slack channel') } },
    { identifier: 'hook', type: 'webhook', endpoint: { url: hook(shown, 'webhook of an endpoint') } },
  ]
  for (const place of places) {
    const body = { subscriberId: 'ada', integrationIdentifier: app, ...place }
    echoes.push((await made(client.post('/v1/channel-endpoints', body, { 'idempotency-key': `plant-${++turn}` }))).text)
  }
  return { tenant, client, masked, shown, integrationIds, echoes }
}

async function made(call: Promise<Reply>): Promise<Reply> {
  const reply = await call
  if (reply.status >= 300) throw new Error(`could not plant: ${reply.status} ${reply.text}`)
  return reply
}
