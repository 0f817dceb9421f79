import type { Ctx } from '../../context.ts'
import type { Connection } from '../../providers/connect.ts'
import type { PushMessage } from '../../providers/message.ts'
import type { Outcome } from '../../providers/outcome.ts'
import type { Env } from '../../store/database.ts'
import { freshConnection } from '../channels/connection-token.ts'
import { callbackUrlFor } from '../feedback/callback-url.ts'
import type { Candidate } from '../integrations/candidates.ts'
import type { Credentials } from '../integrations/integration-credentials.ts'
import { callTools, forgetAccessToken, openCredentials, secretsOf } from '../integrations/provider-call.ts'
import { traceDelivery } from '../numbers/trace-spans.ts'
import { unsubscribeHeaders } from '../subscribers/unsubscribe.ts'
import { type Attempt, attemptBudgetMs, type Ending } from './attempt.ts'
import { type Built, buildMessage, targetDigest } from './build-message.ts'
import { channelOf, type OwnChannel } from './channel-of.ts'
import { cleanOutcome } from './clean-outcome.ts'
import { pauseMs } from './retry-schedule.ts'
import { targetOf } from './target-pace.ts'
import { placeOf, variantOf } from './variant.ts'

/** One try, from the stored message to its outcome. Never throws: a fault here becomes an outcome. */
export async function sendAttempt(ctx: Ctx, env: Env, attempt: Attempt): Promise<Ending> {
  const { delivery, candidate } = attempt
  const trace = traceDelivery(ctx, attempt)
  const ready = await prepare(ctx, env, attempt)
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
  // Without a token nobody was asked to send.
  if (!('hadNoToken' in sent) || isIntegrationRefused(sent.outcome)) learn(ctx, attempt, sent.outcome)
  return { delivery, attempt, candidate, ...sent }
}

/** What failed at an address of the recipient's own says nothing about the integration. */
function learn(ctx: Ctx, { delivery, candidate }: Attempt, outcome: Outcome): void {
  const nowMs = ctx.clock().getTime()
  if (delivery.row.channel === 'chat' && outcome.kind === 'retry' && outcome.paces === 'target') {
    const target = targetOf(candidate.id, placeOf(delivery, candidate))
    ctx.targetPaces.slow(target, nowMs + pauseMs(outcome.afterMs), nowMs)
  }
  const { reached } = channelOf(delivery, candidate.id) ?? {}
  const { usesSubscriberWebhook, ownAddresses } = candidate.provider
  const isOwn = ownAddresses || (reached ? reached.type === 'webhook' : usesSubscriberWebhook)
  if (isOwn && outcome.kind !== 'sent' && !isPaced(outcome)) return
  // Other workspaces may have kept the app; a chat with another name is there.
  if (outcome.kind === 'rejected' && outcome.because === 'connection') return
  if (outcome.kind === 'retry' && (outcome.renew || outcome.movedTo)) return
  ctx.health.learn(candidate.id, outcome, nowMs, candidate.provider.id)
}

function isPaced(outcome: Outcome): boolean {
  return outcome.kind === 'retry' && outcome.paces === true
}

const opened = new WeakMap<Candidate['row'], Credentials>()

/** Opened once for all messages that were loaded together: for each alone it takes a third of the worker's time. */
function credentialsOf(ctx: Ctx, { row, provider }: Candidate): Credentials {
  const known = opened.get(row)
  if (known) return known
  const credentials = openCredentials(ctx, row, provider)
  opened.set(row, credentials)
  return credentials
}

type Ready = {
  credentials: Credentials
  secrets: string[]
  built: Exclude<Built, { fault: string }>
  channel: OwnChannel | undefined
  callbackUrl: string | undefined
}

/** Nothing has been sent yet: a fault here leaves nothing in doubt. */
async function prepare(ctx: Ctx, env: Env, attempt: Attempt): Promise<Ready | Outcome> {
  const { delivery, candidate, text, startedAt, startBy } = attempt
  const { row, subscriber, stepId, workflow, history, attachments, suppressed } = delivery
  const { provider } = candidate
  if (!subscriber) return { kind: 'rejected', reason: 'The subscriber was deleted' }
  try {
    const credentials = credentialsOf(ctx, candidate)
    const channel = channelOf(delivery, candidate.id)
    if (row.endpoint_id !== null && !channel) return { kind: 'rejected', reason: 'The channel endpoint was deleted' }
    const firstTriedAt = history.find((it) => it.integration_id === candidate.id)?.started_at ?? startedAt
    const headers = row.channel === 'email' && !workflow?.critical ? await unsubscribeHeaders(ctx, env, row) : {}
    const key = { integrationId: candidate.id, variant: variantOf(delivery, candidate) }
    const parts = { row, stepId, ...key, provider, credentials, subscriber, channel, firstTriedAt, suppressed }
    const built = buildMessage({ ...parts, attachments, text, headers })
    if ('fault' in built) return { kind: 'rejected', reason: built.fault }
    const listening = await callbackUrlFor(ctx, candidate.row, provider)
    if (ctx.clock().getTime() > startBy) {
      return { kind: 'retry', reason: 'The process was held up before it could send' }
    }
    const callbackUrl = listening?.url
    const devices = (channel?.deviceTokens ?? []).flatMap(partsOf)
    const own = [channel?.webhookUrl, ...devices, callbackUrl, listening?.signingKey]
    const secrets = [...secretsOf(credentials), ...own.map((it) => it ?? '')]
    return { credentials, secrets, built, channel, callbackUrl }
  } catch (error) {
    ctx.log.error({ err: error, providerId: provider.id }, 'a message could not be prepared')
    return { kind: 'retry', reason: 'The message could not be prepared; the log says why' }
  }
}

/** A browser's subscription is JSON of several secrets, and a vendor may say any of them. */
function partsOf(token: string): string[] {
  return token.startsWith('{') ? [token, ...token.split('"').filter((part) => part.length >= 16)] : [token]
}

type Sent = Pick<Ending, 'outcome' | 'settledTargets' | 'tokens'> & { hadNoToken?: true }

async function callProvider(ctx: Ctx, env: Env, attempt: Attempt, ready: Ready): Promise<Sent> {
  const { credentials, built, callbackUrl } = ready
  const { delivery, candidate } = attempt
  const { provider } = candidate
  const deadline = Date.now() + attemptBudgetMs(attempt)
  const through = await connectionFor(ctx, env, attempt, ready, deadline)
  if ('fault' in through) return { outcome: through.fault, hadNoToken: true }
  const secrets = [...ready.secrets, through.connection?.accessToken ?? '']
  const where = { ...(callbackUrl !== undefined && { callbackUrl }), ...through }
  const call = async (message: object): Promise<Outcome | Outcome[]> => {
    try {
      const tools = callTools(ctx, env, candidate.row, deadline, () => !ctx.drain.begun)
      const outcome = (await provider.send?.({ ...tools, ...where, credentials, message })) ?? noOutcome
      // Perhaps only the access token is no longer valid.
      if ([outcome].flat().some(isIntegrationRefused)) forgetAccessToken(ctx, candidate.row)
      return Array.isArray(outcome) ? outcome.map((it) => cleanOutcome(it, secrets)) : cleanOutcome(outcome, secrets)
    } catch (error) {
      // A bug of ours; something may have been sent before it.
      ctx.log.error({ err: error, providerId: provider.id }, 'a provider failed to say what came of a message')
      return { kind: 'unknown', reason: 'The provider adapter failed' }
    }
  }
  if ('pushes' in built) return sendPushes(built.pushes, call, delivery.row.settled_targets ?? [])
  const outcome = await call(built.message)
  return { outcome: ofWorkspace([outcome].flat()[0] ?? noOutcome, ready.channel) }
}

/** A token for the workspace of the message's endpoint, if it has one. Nothing has been sent yet. */
async function connectionFor(
  ctx: Ctx,
  env: Env,
  { candidate }: Attempt,
  { channel }: Ready,
  deadline: number,
): Promise<{ connection?: Connection } | { fault: Outcome }> {
  const connection = channel?.reached?.connection
  // A webhook needs no token.
  if (!connection || channel?.reached?.type === 'webhook') return {}
  try {
    const fresh = await freshConnection(ctx, env, candidate, connection, deadline)
    return 'fault' in fresh ? { fault: ofWorkspace(fresh.fault, channel) } : { connection: fresh }
  } catch (error) {
    ctx.log.error({ err: error, connectionId: connection.id }, 'the token of a workspace could not be got ready')
    return { fault: { kind: 'retry', reason: 'The token of the workspace could not be got ready; the log says why' } }
  }
}

/** Without a connection the token is the integration's own, and nothing renews it. */
function ofWorkspace(outcome: Outcome, channel: OwnChannel | undefined): Outcome {
  const isExpired = outcome.kind === 'retry' && outcome.renew
  const isRefused = outcome.kind === 'rejected' && outcome.because === 'connection'
  if (channel?.reached?.connection || !(isExpired || isRefused)) return outcome
  return { kind: 'rejected', reason: outcome.reason, because: 'integration' }
}

const noOutcome: Outcome = { kind: 'unknown', reason: 'The provider adapter gave no outcome' }

// Calls for one message that run at the same time.
const callsAtOnce = 10

/** Combines several calls into one outcome: unknown if any is unknown, else retry, else sent, else rejected. */
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
      const of = (n: number) => (Array.isArray(outcome) ? (outcome[n] ?? noOutcome) : outcome)
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
    outcome: find('unknown') ?? findRetry(each) ?? find('sent') ?? find('rejected') ?? noTokens,
    settledTargets: [...before, ...settled],
    tokens: {
      // With a receipt it is known only later.
      accepted: each.filter(({ outcome }) => outcome.kind === 'sent' && !outcome.receipt).length,
      gone: each.filter(isGone).map(({ token }) => token),
      receipts: each.flatMap(({ token, outcome }) =>
        outcome.kind === 'sent' && outcome.receipt ? { ticket: outcome.receipt, target: targetDigest(token) } : [],
      ),
    },
  }
}

/** Who asks the whole integration to wait comes first, then what failed, then who asks for one device. */
function findRetry(each: readonly { outcome: Outcome }[]): Outcome | undefined {
  const retries = each.flatMap(({ outcome }) => (outcome.kind === 'retry' ? outcome : []))
  const of = (paces: true | 'target' | undefined) => retries.find((outcome) => outcome.paces === paces)
  return of(true) ?? of(undefined) ?? of('target')
}

const noTokens: Outcome = { kind: 'rejected', reason: 'The subscriber has no device token any more' }

function isIntegrationRefused(outcome: Outcome): boolean {
  return outcome.kind === 'rejected' && outcome.because === 'integration'
}
