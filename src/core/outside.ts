import type { Ctx } from '../context.ts'
import type { Channel, Provider } from '../providers/provider.ts'
import type { Db, Env } from '../store/database.ts'
import { type IntegrationRow, listIntegrations } from '../store/integrations.ts'
import { listChannels } from '../store/subscriber-channels.ts'
import type { SubscriberRow } from '../store/subscribers.ts'
import { findSuppressions, normalAddress } from '../store/suppressions.ts'
import { readAddresses } from './delivery/email-addresses.ts'
import { channelOverrides } from './pipeline/overrides.ts'
import { type ChannelCredentials, openChannel } from './replies/subscriber-json.ts'
import { type ConditionScope, conditionsPass } from './workflows/conditions.ts'
import type { StepFilter } from './workflows/step-filter.ts'
import type { Step } from './workflows/workflow.ts'

export type OutsideChannel = Exclude<Channel, 'in_app'>

/** An active integration and who sends for it. */
export type Candidate = { id: string; row: IntegrationRow; provider: Provider }

/** What lies outside the house, as far as a page of people needs it. */
export type Outside = {
  /** By channel, in order of preference: the primary, then the oldest. */
  candidates: Map<string, Candidate[]>
  /** Subscriber id → integration id → where the person is reached through it. */
  channels: Map<string, Map<string, ChannelCredentials>>
  /** `channel:address` → why nothing is sent there. */
  suppressed: Map<string, string>
}

/** One message to be sent: e-mail and SMS name no integration, whichever can may send it. */
export type Target = { integration: Candidate | null; address: string | null }

export type OutsidePlan =
  | { kind: 'skip'; why: string; errorId?: string }
  | { kind: 'fail'; why: string }
  | { kind: 'send'; targets: Target[]; first: Candidate }

export function isOutside(type: Step['type']): type is OutsideChannel {
  return type === 'email' || type === 'sms' || type === 'chat' || type === 'push'
}

type Reached = { subscriber: SubscriberRow; overrides: unknown; steps: readonly Step[] }

/** One query each for integrations, channels and suppressions, and none where no step leaves the house. */
export async function loadOutside(ctx: Ctx, db: Db, env: Env, reached: readonly Reached[]): Promise<Outside> {
  const none: Outside = { candidates: new Map(), channels: new Map(), suppressed: new Map() }
  const types = new Set(reached.flatMap(({ steps }) => steps.map((step) => step.type)).filter(isOutside))
  if (types.size === 0) return none
  const candidates = toCandidates(ctx, await listIntegrations(db, env))
  const addresses = reached.flatMap(({ subscriber, overrides, steps }) =>
    steps.flatMap((step) => addressOf(step, subscriber, overrides) ?? []),
  )
  const ids = [...new Set(reached.map(({ subscriber }) => subscriber.id))]
  return {
    candidates,
    channels: types.has('chat') || types.has('push') ? await loadChannels(ctx, db, env, ids) : new Map(),
    suppressed: await findSuppressions(db, env, [...new Set(addresses)]),
  }
}

export function toCandidates(ctx: Ctx, rows: readonly IntegrationRow[]): Map<string, Candidate[]> {
  const active = rows.flatMap((row) => {
    const provider = row.active ? ctx.providers.find(row.provider_id) : undefined
    return provider && isUsable(ctx, provider) ? { id: row.id, row, provider } : []
  })
  const ordered = active.toSorted((a, b) => Number(b.row.is_primary) - Number(a.row.is_primary))
  return Map.groupBy(ordered, (candidate) => candidate.row.channel)
}

/** A development mailbox that a database brought along into production would swallow what people wait for. */
export function isUsable(ctx: Ctx, provider: Provider): boolean {
  return !(provider.developmentOnly && ctx.config.production)
}

export async function loadChannels(ctx: Ctx, db: Db, env: Env, subscriberIds: readonly string[]) {
  const channels: Outside['channels'] = new Map()
  for (const row of await listChannels(db, env, subscriberIds)) {
    const ofSubscriber = channels.get(row.subscriberId) ?? new Map<string, ChannelCredentials>()
    ofSubscriber.set(row.integrationId, openChannel(ctx, env, row))
    channels.set(row.subscriberId, ofSubscriber)
  }
  return channels
}

/** Which of the channel's integrations may carry a message: the one the trigger names, or those whose conditions hold. */
export function candidatesFor(all: readonly Candidate[], scope: ConditionScope, named: unknown): Candidate[] {
  if (typeof named === 'string') return all.filter(({ row }) => row.identifier === named)
  return all.filter(({ row }) => conditionsPass(row.conditions as StepFilter[], scope).passes)
}

/** E-mail and SMS: the person's own address, or the one the trigger gives. */
function addressOf(step: Step, subscriber: SubscriberRow, overrides: unknown): string | null {
  if (step.type === 'email') {
    const given = readAddresses(channelOverrides(overrides, 'email', step.stepId).to)
    return (given[0] ?? subscriber.email) || null
  }
  if (step.type === 'sms') {
    const given = channelOverrides(overrides, 'sms', step.stepId).to
    return (typeof given === 'string' && given) || subscriber.phone || null
  }
  return null
}

export function planOutside(
  channel: OutsideChannel,
  {
    step,
    subscriber,
    overrides,
    scope,
    critical,
  }: { step: Step; subscriber: SubscriberRow; overrides: unknown; scope: ConditionScope; critical: boolean },
  outside: Outside,
): OutsidePlan {
  const all = outside.candidates.get(channel) ?? []
  const named = channelOverrides(overrides, channel, step.stepId).integrationIdentifier
  if (all.length === 0) return { kind: 'fail', why: `No active ${channel} integration` }
  const candidates = candidatesFor(all, scope, named)
  const [first] = candidates
  if (!first) {
    return typeof named === 'string'
      ? { kind: 'fail', why: `No active ${channel} integration has the identifier "${named.slice(0, 100)}"` }
      : { kind: 'skip', why: `The conditions of every ${channel} integration exclude this subscriber` }
  }
  if (channel === 'chat' || channel === 'push') return planPersonal(channel, subscriber, candidates, outside)
  const address = addressOf(step, subscriber, overrides)
  if (!address) {
    const what = channel === 'email' ? 'an e-mail address' : 'a phone number'
    return {
      kind: 'skip',
      why: `Subscriber does not have ${what}`,
      errorId: 'no_address',
    }
  }
  const suppressed = outside.suppressed.get(`${channel}:${normalAddress(address)}`)
  // Who unsubscribed still gets what is critical; an address that bounced or complained gets nothing.
  if (suppressed && !(critical && suppressed === 'unsubscribed')) {
    return { kind: 'skip', why: `The address is on the suppression list (${suppressed})`, errorId: 'suppressed' }
  }
  return { kind: 'send', targets: [{ integration: null, address }], first }
}

/** Chat and push: one message for each integration through which the person can be reached. */
function planPersonal(
  channel: 'chat' | 'push',
  subscriber: SubscriberRow,
  candidates: Candidate[],
  outside: Outside,
): OutsidePlan {
  const channels = outside.channels.get(subscriber.id)
  const reachable = candidates.filter((candidate) =>
    isReachable(candidate.provider, channels?.get(candidate.id), subscriber),
  )
  const [first] = reachable
  if (!first) {
    const what = channel === 'chat' ? 'chat channel' : 'device token'
    return { kind: 'skip', why: `Subscriber does not have a ${what} for any active integration`, errorId: 'no_address' }
  }
  return { kind: 'send', targets: reachable.map((integration) => ({ integration, address: null })), first }
}

export function isReachable(
  provider: Provider,
  channel: ChannelCredentials | undefined,
  subscriber: SubscriberRow,
): boolean {
  if (provider.channel === 'push') return (channel?.deviceTokens ?? []).length > 0
  switch (provider.address ?? 'webhookUrl') {
    case 'webhookUrl':
      return Boolean(channel?.webhookUrl)
    case 'channel':
      return Boolean(channel?.channel)
    case 'phone':
      return Boolean(subscriber.phone)
  }
}
