import { type Static, Type } from 'typebox'
import type { Ctx } from '../../context.ts'
import { oneOf } from '../../lib/schemas.ts'
import type { CredentialName } from '../../providers/credential-names.ts'
import type { Inbound } from '../../providers/inbound.ts'
import { type CredentialField, channels, type Provider } from '../../providers/provider.ts'
import { furtherProviderIds } from '../../providers/provider-ids.ts'
import { callbackAddress } from '../channels/connect.ts'
import { endpointTypesOf } from '../channels/endpoint-input.ts'
import { isUsable } from '../integrations/candidates.ts'
import { defaultWhenUnknown } from '../integrations/when-unknown.ts'

const kinds = ['text', 'url', 'host', 'port', 'flag', 'choice', 'object'] as const
const tiers = ['T0', 'T1', 'T2', 'T3'] as const

const credentialSchema = Type.Object(
  {
    name: Type.String({ description: 'The field of `credentials`.' }),
    label: Type.String({ description: 'What the vendor calls it.' }),
    help: Type.Optional(Type.String()),
    kind: oneOf(kinds),
    secret: Type.Boolean(),
    required: Type.Boolean({ description: 'Must be there before the integration can be active.' }),
    values: Type.Optional(Type.Array(Type.String(), { description: 'Of a choice.' })),
    where: Type.Boolean({
      description: 'Decides which server the secrets go to: when it changes, they must be sent again.',
    }),
  },
  { title: 'CredentialField' },
)

const callbackSetupSchema = Type.Object(
  {
    key: Type.Object(
      { label: Type.String(), help: Type.String() },
      { description: "What `inboundWebhookSigningKey` is: the vendor's name for it, and where it is found." },
    ),
    keyInUrl: Type.Boolean({ description: 'The vendor signs nothing: the address it is given holds the key.' }),
    perMessage: Type.Boolean({
      description: 'Each message names the address, if PUBLIC_URL is set: nothing has to be set up at the vendor.',
    }),
  },
  { title: 'CallbackSetup' },
)

export const providerSchema = Type.Object(
  {
    providerId: Type.String(),
    channel: oneOf(channels),
    displayName: Type.String(),
    documentation: Type.Optional(Type.String()),
    verified: Type.String({ description: 'Where request and replies come from.' }),
    tier: oneOf(tiers),
    idempotencyWindowMs: Type.Optional(Type.Integer()),
    traceable: Type.Boolean({ description: 'Our id goes with the message: one in doubt can be found by it.' }),
    whenUnknown: oneOf(['atLeastOnce', 'atMostOnce']),
    tokensPerCall: Type.Optional(Type.Integer()),
    usesSubscriberWebhook: Type.Boolean(),
    developmentOnly: Type.Boolean(),
    available: Type.Boolean({ description: 'False: for development only, and this is production.' }),
    canCheck: Type.Boolean({ description: 'The credentials can be checked without sending anything.' }),
    callbacks: Type.Boolean({ description: 'The vendor can tell us what became of messages.' }),
    callbackSetup: Type.Optional(callbackSetupSchema),
    receipts: Type.Boolean({ description: 'The vendor tells what became of messages when it is asked: we ask.' }),
    endpoints: Type.Array(Type.String(), { description: 'The types of channel endpoints it sends to.' }),
    connects: Type.Boolean({ description: 'Its app is installed in workspaces by OAuth (channel connections).' }),
    redirectUri: Type.Optional(
      Type.String({ description: 'Of such an app: what to register at the vendor. Missing: PUBLIC_URL is not set.' }),
    ),
    links: Type.Boolean({ description: 'People are linked to its bot by opening an address.' }),
    further: Type.Boolean({ description: 'One of ours: the published clients do not know its id.' }),
    needs: Type.Optional(
      Type.String({ description: 'Where no single credential is always required: what it takes, in words.' }),
    ),
    credentials: Type.Array(credentialSchema),
  },
  { title: 'Provider' },
)
export type ProviderJson = Static<typeof providerSchema>

/** What a fault during a send can cause; docs/providers.md explains the tiers. */
export function tierOf(provider: Provider): (typeof tiers)[number] {
  const { channel, developmentOnly, idempotencyWindowMs, traceable } = provider
  if (channel === 'in_app' || developmentOnly) return 'T0'
  if (idempotencyWindowMs !== undefined) return 'T1'
  return traceable ? 'T2' : 'T3'
}

/** What a form needs, all from the provider's own file. */
export function toProviderJson(ctx: Ctx, provider: Provider): ProviderJson {
  const { id, channel, displayName, documentation, verified, idempotencyWindowMs, tokensPerCall } = provider
  const { publicUrl } = ctx.config
  return {
    providerId: id,
    channel,
    displayName,
    ...(documentation !== undefined && { documentation }),
    verified,
    tier: tierOf(provider),
    ...(idempotencyWindowMs !== undefined && { idempotencyWindowMs }),
    traceable: provider.traceable ?? false,
    whenUnknown: defaultWhenUnknown(provider),
    ...(tokensPerCall !== undefined && { tokensPerCall }),
    usesSubscriberWebhook: provider.usesSubscriberWebhook ?? false,
    developmentOnly: provider.developmentOnly ?? false,
    available: isUsable(ctx, provider),
    canCheck: provider.check !== undefined,
    callbacks: provider.inbound !== undefined,
    ...(provider.inbound && { callbackSetup: toCallbackSetup(provider.inbound) }),
    receipts: provider.receipts !== undefined,
    endpoints: [...endpointTypesOf(provider)],
    connects: provider.oauth !== undefined,
    ...(provider.oauth && publicUrl !== undefined && { redirectUri: callbackAddress(publicUrl) }),
    links: provider.linking !== undefined,
    further: furtherProviderIds.includes(id),
    ...(provider.needs !== undefined && { needs: provider.needs }),
    credentials: Object.entries(provider.credentials).map(([name, field]) => toCredentialJson(name, field)),
  }
}

function toCallbackSetup({ key, keyInUrl, perMessage }: Inbound) {
  return { key, keyInUrl: keyInUrl ?? false, perMessage: perMessage ?? false }
}

function toCredentialJson(name: string, field: CredentialField) {
  const { kind, secret, required, values, where = false, help } = field
  // A provider's credentials can have only these names.
  const label = field.label ?? labels[name as CredentialName]
  return {
    name,
    label,
    ...(help !== undefined && { help }),
    kind,
    secret,
    required,
    ...(values && { values: [...values] }),
    where,
  }
}

const labels: Record<CredentialName, string> = {
  apiKey: 'API key',
  user: 'User',
  secretKey: 'Secret key',
  domain: 'Domain',
  password: 'Password',
  host: 'Host',
  port: 'Port',
  region: 'Region',
  accountSid: 'Account SID',
  messageProfileId: 'Message profile ID',
  token: 'Token',
  from: 'From',
  senderName: 'Sender name',
  projectName: 'Project name',
  applicationId: 'Application ID',
  clientId: 'Client ID',
  baseUrl: 'Base URL',
  webhookUrl: 'Webhook URL',
  redirectUrl: 'Redirect URL',
  serviceAccount: 'Service account (JSON)',
  ipPoolName: 'IP pool name',
  apiKeyRequestHeader: 'Header of the API key',
  secretKeyRequestHeader: 'Header of the secret key',
  idPath: 'Path of the id in the reply',
  datePath: 'Path of the date in the reply',
  apiToken: 'API token',
  authenticationTokenKey: 'Header of the authentication token',
  instanceId: 'Instance ID',
  alertUid: 'Alert UID',
  title: 'Title',
  imageUrl: 'Image URL',
  state: 'State',
  externalLink: 'External link',
  channelId: 'Channel ID',
  phoneNumberIdentification: 'Phone number ID',
  accessKey: 'Access key',
  appSid: 'App SID',
  senderId: 'Sender ID',
  AppIOBaseUrl: 'App.io base URL',
  secure: 'TLS from the first byte',
  requireTls: 'Require TLS',
  ignoreTls: 'Never use TLS',
  hmac: 'Demand a subscriber hash',
  authenticateByToken: 'Authenticate by a token',
  tlsOptions: 'TLS options',
}
