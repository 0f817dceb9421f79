import { type Static, Type } from 'typebox'
import type { Ctx } from '../../context.ts'
import { ApiError, invalidField, validationFailed } from '../../errors.ts'
import { isEmail } from '../../lib/formats.ts'
import { oneLine } from '../../lib/one-line.ts'
import type { Http, HttpReply, Smtp, SmtpReply } from '../../lib/outbound.ts'
import { fields } from '../../lib/schemas.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import { toDeviceToken } from '../../providers/endpoint.ts'
import type { Outcome } from '../../providers/outcome.ts'
import type { Provider } from '../../providers/provider.ts'
import { findReached } from '../../store/channels/endpoints.ts'
import type { Env } from '../../store/database.ts'
import type { IntegrationRow } from '../../store/integrations.ts'
import { findSuppressions, normalAddress } from '../../store/suppressions.ts'
import { freshConnection } from '../channels/connection-token.ts'
import { loadConnections, type Reached, toReached } from '../channels/reached.ts'
import { cleanOutcome } from '../delivery/clean-outcome.ts'
import { redact } from '../delivery/redact.ts'
import { isUsable } from './candidates.ts'
import { findSender } from './find-sender.ts'
import { type Credentials, credentialFaults } from './integration-credentials.ts'
import { callTools, openCredentials, secretsOf } from './provider-call.ts'
import { getIntegration } from './save-integration.ts'

const line = Type.Optional(Type.String({ minLength: 1, maxLength: 2_000 }))

export const testInput = fields({
  to: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2_000,
      description:
        'An e-mail address, phone number, webhook URL, chat channel or device token, as the channel needs it.',
    }),
  ),
  phone: line,
  webhookUrl: line,
  channel: line,
  deviceToken: line,
  endpointIdentifier: Type.Optional(
    Type.String({ minLength: 1, maxLength: 255, description: 'A channel endpoint, instead of an address.' }),
  ),
  from: line,
  subject: line,
  content: Type.Optional(Type.String({ minLength: 1, maxLength: 20_000 })),
})
type TestInput = Static<typeof testInput>

export const testResultSchema = Type.Object(
  {
    outcome: Type.Unsafe<Outcome['kind']>({ type: 'string', enum: ['sent', 'retry', 'rejected', 'unknown'] }),
    reason: Type.Optional(Type.String()),
    id: Type.Optional(Type.String({ description: "The provider's id of the message." })),
    providerReply: Type.Unsafe<{ status: number; body: string } | null>({
      type: ['object', 'null'],
      description: "The provider's answer as it came, without our credentials; null when there was none.",
      required: ['status', 'body'],
      properties: { status: { type: 'integer' }, body: { type: 'string' } },
    }),
    durationMs: Type.Integer(),
  },
  { title: 'IntegrationTest' },
)
export type TestResult = Static<typeof testResultSchema>

// Somebody waits for the reply, and the lease of the request's idempotency key must last longer than this.
const testWithinMs = 20_000

/** Sends one real message now, without queue, retries or history, and shows what the provider said. */
export async function testIntegration(ctx: Ctx, env: Env, id: string, given: TestInput): Promise<TestResult> {
  const row = await ctx.database.read(env, (db) => getIntegration(db, env, id))
  const provider = ctx.providers.find(row.provider_id)
  if (!provider?.send || !isUsable(ctx, provider)) throw new ApiError('integration_cannot_send')
  const credentials = openCredentials(ctx, row, provider)
  const errors = credentialFaults(ctx, provider, credentials, { sent: {}, complete: true })
  if (Object.keys(errors).length > 0) throw validationFailed(errors)
  const text = provider.channel === 'email' ? await makeText(ctx, contentOf(given)) : ''
  const reached = given.endpointIdentifier === undefined ? null : await findPlace(ctx, env, row, given)
  const message = toMessage(ctx, provider, credentials, given, { text, reached })
  const { channel } = provider
  if (channel === 'email' || channel === 'sms') await refuseSuppressed(ctx, env, channel, addressesOf(message))

  const startedAt = performance.now()
  const deadline = Date.now() + testWithinMs
  const tools = callTools(ctx, env, row, deadline)
  const through =
    reached?.connection && (await freshConnection(ctx, env, { id, row, provider }, reached.connection, deadline))
  if (through && 'fault' in through) throw new ApiError('connect_refused', { message: reasonIn(through.fault) })
  const { http, smtp, lastReply } = keepReplies(tools)
  const outcomes = [
    await provider.send({ ...tools, http, smtp, credentials, message, ...(through && { connection: through }) }),
  ].flat()
  const secrets = [...secretsOf(credentials), through?.accessToken ?? '']
  const first = outcomes[0] ?? { kind: 'unknown' as const, reason: 'The provider adapter gave no outcome' }
  const outcome = cleanOutcome(first, secrets)
  return {
    outcome: outcome.kind,
    ...(outcome.kind === 'sent' ? { ...(outcome.id !== undefined && { id: outcome.id }) } : { reason: outcome.reason }),
    providerReply: toProviderReply(lastReply(), secrets),
    durationMs: Math.round(performance.now() - startedAt),
  }
}

async function findPlace(ctx: Ctx, env: Env, row: IntegrationRow, { endpointIdentifier = '' }: TestInput) {
  const found = await ctx.database.read(env, (db) => findReached(db, env, endpointIdentifier))
  if (found?.integrationId !== row.id) throw new ApiError('endpoint_not_found')
  const connections = await ctx.database.read(env, (db) => loadConnections(db, env, [found]))
  return toReached(ctx, env, found, connections)
}

function reasonIn(outcome: Outcome): string {
  return outcome.kind === 'sent' ? '' : outcome.reason
}

/** The same connections, but they keep the vendor's last reply for the result. */
function keepReplies({ http, smtp }: { http: Http; smtp: Smtp }) {
  let last: HttpReply | SmtpReply | null = null
  const keep = <Answer extends { kind: string }>(answer: Answer): Answer => {
    if (answer.kind === 'reply') last = answer as unknown as HttpReply | SmtpReply
    return answer
  }
  return {
    http: (async (request) => keep(await http(request))) satisfies Http,
    smtp: { ...smtp, send: async (server, mail) => keep(await smtp.send(server, mail)) } satisfies Smtp,
    lastReply: (): HttpReply | SmtpReply | null => last,
  }
}

function toProviderReply(reply: HttpReply | SmtpReply | null, secrets: string[]) {
  if (!reply) return null
  return { status: 'status' in reply ? reply.status : reply.code, body: redact(reply.text, secrets) }
}

/** The minimum a provider of this channel needs, with default texts. */
function toMessage(
  ctx: Ctx,
  provider: Provider,
  credentials: Credentials,
  given: TestInput,
  { text, reached }: { text: string; reached: Reached | null },
) {
  const id = uuid7(ctx.clock())
  const common = { id, key: `test-${id}`, subscriberId: 'test', firstTriedAt: ctx.clock(), overrides: {} }
  const content = contentOf(given)
  const subject = oneLine(given.subject ?? 'Test message from Tidings')
  switch (provider.channel) {
    case 'email': {
      const from = senderOf(provider, credentials, given)
      const to = [requireEmail(requireField(given.to, 'to'))]
      const rest = { cc: [], bcc: [], headers: {}, attachments: [] }
      return { ...common, ...rest, from, to, subject, html: content, text }
    }
    case 'sms': {
      const from = given.from ?? credentials.from
      return { ...common, to: requireField(given.to ?? given.phone, 'to'), ...(from && { from }), content }
    }
    case 'chat':
      return { ...common, content, ...(reached ? chatAt(reached) : chatAddress(ctx, provider, given)), alert: {} }
    case 'push': {
      const device = (reached && toDeviceToken(reached.to())) ?? given.deviceToken ?? given.to
      const token = requireField(device, 'deviceToken')
      return { ...common, token, tokens: [token], title: subject, body: content, data: {}, payload: {} }
    }
    case 'in_app':
      throw new ApiError('integration_cannot_send')
  }
}

function contentOf({ content = 'Test message from Tidings' }: TestInput): string {
  return content
}

async function makeText(ctx: Ctx, html: string): Promise<string> {
  const [text = null] = await ctx.renderer.toText([html])
  if (text === null) throw new Error('there was no time to make the text of a test message')
  return text
}

function senderOf(provider: Provider, credentials: Credentials, given: TestInput) {
  const from = findSender(provider, credentials, given.from)
  if (!from) throw invalidField('from', 'is needed: the integration has no sender of its own')
  return from
}

function chatAt(reached: Reached) {
  const to = reached.to()
  const webhookUrl = to.type === 'webhook' ? to.endpoint.url : ''
  const channel = to.type === 'webhook' ? (to.endpoint.channel ?? '') : ''
  return { webhookUrl, channel, phone: to.type === 'phone' ? to.endpoint.phoneNumber : '', to }
}

function chatAddress(ctx: Ctx, provider: Provider, given: TestInput) {
  const none = { webhookUrl: '', channel: '', phone: '' }
  switch (provider.address ?? 'webhookUrl') {
    case 'webhookUrl': {
      const webhookUrl = requireField(given.webhookUrl ?? given.to, 'webhookUrl')
      const refused = ctx.guard.refuseUrl(webhookUrl)
      if (refused) throw invalidField('webhookUrl', refused)
      return { ...none, webhookUrl }
    }
    case 'channel':
      return { ...none, channel: requireField(given.channel ?? given.to, 'channel') }
    case 'phone':
      return { ...none, phone: requireField(given.phone ?? given.to, 'phone') }
    case 'none':
      throw invalidField('endpointIdentifier', 'is needed: this provider sends to channel endpoints')
  }
}

function requireField(value: string | undefined, field: string): string {
  if (value === undefined) throw invalidField(field, 'is needed to send a test message on this channel')
  return value
}

function requireEmail(text: string): string {
  if (!isEmail(text)) throw invalidField('to', 'must be a valid e-mail address', text)
  return text
}

/** The suppression list holds for tests too: providers count every bounce. */
function addressesOf(message: object): string[] {
  const to: unknown = 'to' in message ? message.to : []
  return [to].flat().filter((it) => typeof it === 'string')
}

async function refuseSuppressed(ctx: Ctx, env: Env, channel: string, to: readonly string[]): Promise<void> {
  const suppressed = await ctx.database.read(env, (db) => findSuppressions(db, env, to))
  const reason = to.map((address) => suppressed.get(`${channel}:${normalAddress(address)}`)).find(Boolean)
  if (reason) throw invalidField('to', `is on the suppression list (${reason})`)
}
