import type { Ctx } from '../../context.ts'
import type { Http, HttpReply, HttpRequest, Smtp } from '../../lib/outbound.ts'
import type { PushMessage } from '../../providers/message.ts'
import type { Outcome } from '../../providers/outcome.ts'
import type { Provider } from '../../providers/provider.ts'
import type { Env } from '../../store/database.ts'
import { insertDevMail } from '../../store/history/dev-mails.ts'
import type { IntegrationRow } from '../../store/integrations.ts'
import { type Credentials, type CredentialValue, openFields } from '../integrations/integration-credentials.ts'
import { traceDelivery } from '../numbers/trace-spans.ts'
import { unsubscribeHeaders } from '../subscribers/unsubscribe.ts'
import { type Attempt, attemptBudgetMs } from './attempt.ts'
import { type Built, buildMessage, targetDigest } from './build-message.ts'
import type { Ending } from './record-endings.ts'
import { redact } from './redact.ts'

/** One try, from the stored message to what came of it. It never throws: what goes wrong here is an outcome too. */
export async function sendAttempt(ctx: Ctx, env: Env, attempt: Attempt): Promise<Ending> {
  const { delivery, candidate } = attempt
  const trace = traceDelivery(ctx, attempt)
  const ready = prepare(ctx, env, attempt)
  if ('kind' in ready) {
    trace.ended(ready)
    return { delivery, attempt, candidate, outcome: ready }
  }
  const labels = { channel: delivery.row.channel, provider: candidate.provider.id }
  const took = ctx.metrics.providerSeconds.startTimer(labels)
  const calledMs = ctx.clock().getTime()
  const sent = await callProvider(ctx, env, attempt, ready)
  took()
  trace.called(sent.outcome, calledMs)
  trace.ended(sent.outcome)
  ctx.health.learn(candidate.id, sent.outcome, ctx.clock().getTime(), candidate.provider.id)
  return { delivery, attempt, candidate, ...sent, outcome: redacted(sent.outcome, ready.secrets) }
}

type Ready = { credentials: Credentials; secrets: string[]; built: Exclude<Built, { fault: string }> }

/** Up to here not a byte has left: whatever goes wrong, nothing is in doubt. */
function prepare(ctx: Ctx, env: Env, { delivery, candidate, startBy }: Attempt): Ready | Outcome {
  const { row, subscriber, stepId, workflow, history, attachments } = delivery
  const { provider } = candidate
  if (!subscriber) return { kind: 'rejected', reason: 'The subscriber was deleted' }
  try {
    const credentials = openCredentials(ctx, candidate.row, provider)
    const channel = delivery.channels.get(subscriber.id)?.get(candidate.id)
    const firstTriedAt = history.find((it) => it.integration_id === candidate.id)?.started_at ?? ctx.clock()
    const headers = row.channel === 'email' && !workflow?.critical ? unsubscribeHeaders(ctx, env, row) : {}
    const integrationId = candidate.id
    const parts = { row, stepId, integrationId, provider, credentials, subscriber, channel, firstTriedAt }
    const built = buildMessage({ ...parts, attachments, headers })
    if ('fault' in built) return { kind: 'rejected', reason: built.fault }
    if (ctx.clock().getTime() > startBy) {
      return { kind: 'retry', reason: 'The process was held up before it could send' }
    }
    const secrets = [...secretsOf(credentials), channel?.webhookUrl ?? '', ...(channel?.deviceTokens ?? [])]
    return { credentials, secrets, built }
  } catch (error) {
    ctx.log.error({ err: error, providerId: provider.id }, 'a message could not be prepared')
    return { kind: 'retry', reason: 'The message could not be prepared; the log says why' }
  }
}

type Sent = Pick<Ending, 'outcome' | 'settled' | 'goneTokens'>

async function callProvider(ctx: Ctx, env: Env, attempt: Attempt, { credentials, built }: Ready): Promise<Sent> {
  const { delivery, candidate } = attempt
  const { provider } = candidate
  const deadline = ctx.clock().getTime() + attemptBudgetMs(delivery.row.channel)
  const call = async (message: object): Promise<Outcome | Outcome[]> => {
    try {
      const doors = doorsOf(ctx, env, candidate.row, deadline)
      const outcome = (await provider.send?.({ ...doors, credentials, message })) ?? nothingSaid
      // Perhaps only the token is no longer taken: whoever comes next fetches another.
      if ([outcome].flat().some(isIntegrationRefused)) ctx.tokens.forget(tokenOwner(candidate.row))
      return outcome
    } catch (error) {
      // A fault of ours: bytes may have left before it.
      ctx.log.error({ err: error, providerId: provider.id }, 'a provider failed to say what came of a message')
      return { kind: 'unknown', reason: 'The provider adapter failed' }
    }
  }
  if ('pushes' in built) return sendPushes(built.pushes, call, delivery.row.settled_targets ?? [])
  const outcome = await call(built.message)
  return { outcome: Array.isArray(outcome) ? (outcome[0] ?? nothingSaid) : outcome }
}

const nothingSaid: Outcome = { kind: 'unknown', reason: 'The provider adapter gave no outcome' }

// Device tokens of one message that are called at the same time.
const callsAtOnce = 10

/** Several calls, one outcome: in doubt as long as one is, to be repeated as long as one is, sent if any was. */
async function sendPushes(
  pushes: PushMessage[],
  call: (message: object) => Promise<Outcome | Outcome[]>,
  before: readonly string[],
): Promise<Sent> {
  const each: { token: string; outcome: Outcome }[] = []
  const queue = pushes.slice()
  const work = async () => {
    for (let push = queue.shift(); push; push = queue.shift()) {
      const outcome = await call(push)
      const of = (n: number) => (Array.isArray(outcome) ? (outcome[n] ?? nothingSaid) : outcome)
      each.push(...push.tokens.map((token, n) => ({ token, outcome: of(n) })))
    }
  }
  await Promise.all(Array.from({ length: callsAtOnce }, work))
  const settled = each.flatMap(({ token, outcome }) => {
    if (outcome.kind === 'sent') return `+${targetDigest(token)}`
    return outcome.kind === 'rejected' && outcome.because !== 'integration' ? `-${targetDigest(token)}` : []
  })
  const find = (kind: Outcome['kind']) => each.find(({ outcome }) => outcome.kind === kind)?.outcome
  const isGone = ({ outcome }: (typeof each)[number]) => outcome.kind === 'rejected' && outcome.because === 'gone'
  return {
    outcome: find('unknown') ?? find('retry') ?? find('sent') ?? find('rejected') ?? noTokens,
    settled: [...before, ...settled],
    goneTokens: each.filter(isGone).map(({ token }) => token),
  }
}

const noTokens: Outcome = { kind: 'rejected', reason: 'The subscriber has no device token any more' }

/** The doors a provider may use, open for as long as the try may last. */
export function doorsOf(ctx: Ctx, env: Env, integration: Pick<IntegrationRow, 'id' | 'credentials'>, deadline: number) {
  const http: Http = (request: HttpRequest) => ctx.http({ ...request, deadline })
  const smtp: Smtp = {
    send: (server, mail) => ctx.smtp.send({ ...server, deadline }, mail),
    verify: (server) => ctx.smtp.verify({ ...server, deadline }),
    compose: ctx.smtp.compose,
  }
  const mailbox = (mail: Parameters<typeof insertDevMail>[2]) =>
    ctx.database.write(env, (db) => insertDevMail(db, env, mail, ctx.clock()))
  return { http, smtp, cached: ctx.tokens.of(tokenOwner(integration)), mailbox, now: ctx.clock() }
}

/** Changed credentials are another owner: a token fetched with the old ones is not used again. */
function tokenOwner({ id, credentials }: Pick<IntegrationRow, 'id' | 'credentials'>): string {
  return `${id} ${JSON.stringify(credentials)}`
}

function isIntegrationRefused(outcome: Outcome): boolean {
  return outcome.kind === 'rejected' && outcome.because === 'integration'
}

/** Wraps a door so that what the vendor last said can be shown to whoever pressed the test button. */
export function overhearing(http: Http): { http: Http; last: () => HttpReply | null } {
  let heard: HttpReply | null = null
  return {
    http: async (request) => {
      const answer = await http(request)
      if (answer.kind === 'reply') heard = answer
      return answer
    },
    last: () => heard,
  }
}

export function openCredentials(ctx: Ctx, row: IntegrationRow, provider: Provider): Credentials {
  const place = { environmentId: row.environment_id, id: row.id, column: 'credentials' as const }
  return asDeclared(provider, openFields(ctx, place, row.credentials))
}

/** As the provider declares them: flags are false and objects empty unless set. */
export function asDeclared(provider: Provider, credentials: Credentials): Credentials {
  const absent = Object.entries(provider.credentials).flatMap(([name, { kind }]): [string, CredentialValue][] => {
    if (kind === 'flag') return [[name, false]]
    return kind === 'object' ? [[name, {}]] : []
  })
  return { ...Object.fromEntries(absent), ...credentials }
}

export function secretsOf(credentials: Credentials): string[] {
  return Object.entries(credentials).flatMap(([name, value]) =>
    // The sender is meant to be seen, and a host name alone opens nothing.
    typeof value === 'string' && !['from', 'senderName', 'host', 'port', 'region'].includes(name) ? value : [],
  )
}

function redacted(outcome: Outcome, secrets: readonly string[]): Outcome {
  return outcome.kind === 'sent' ? outcome : { ...outcome, reason: redact(outcome.reason, secrets) }
}
