import type { Ctx } from '../../context.ts'
import { cutText } from '../../lib/one-line.ts'
import type { Channel, Provider } from '../../providers/provider.ts'
import type { Db, Env } from '../../store/database.ts'
import { listIntegrations } from '../../store/integrations.ts'
import type { SubscriberRow } from '../../store/subscribers.ts'
import { findSuppressions, normalAddress } from '../../store/suppressions.ts'
import { readAddresses } from '../addresses/email-addresses.ts'
import { webhookPlace } from '../channels/endpoint-input.ts'
import { hasDevices, reachedIn } from '../channels/reached.ts'
import { type Candidate, candidatesFor, toCandidates } from '../integrations/candidates.ts'
import { type ChannelCredentials, type ChannelsOfPeople, loadChannels } from '../subscribers/channel-credentials.ts'
import type { ConditionScope } from '../workflows/conditions.ts'
import type { Step } from '../workflows/workflow.ts'
import { channelOverrides } from './overrides.ts'

/** All channels except in-app need a provider. */
export type ProviderChannel = Exclude<Channel, 'in_app'>

export function isProviderChannel(type: Step['type']): type is ProviderChannel {
  return type === 'email' || type === 'sms' || type === 'chat' || type === 'push'
}

/** The integrations and addresses through which a page of people can be reached. */
export type SendInputs = {
  /** By channel, in order of preference: the primary, then the oldest. */
  candidates: Map<string, Candidate[]>
  channels: ChannelsOfPeople
  /** `channel:address` → why nothing is sent there. */
  suppressed: Map<string, string>
}

/**
 * One message to send. E-mail and SMS name no integration: any candidate may send them. `endpointId`: of a chat, where the
 * subscriber's credentials do not say where.
 */
export type Target = { integration: Candidate | null; address: string | null; endpointId?: string }

export type SendPlan =
  | { kind: 'skip'; why: string; errorId?: string }
  | { kind: 'fail'; why: string }
  /** `named`: the event says which integration to use. */
  | { kind: 'send'; targets: Target[]; first: Candidate; named: boolean }

type Addressee = { subscriber: SubscriberRow; overrides: unknown }

/** One query each for integrations, channels and suppressions; none if no step needs a provider. */
export async function loadSendInputs(
  ctx: Ctx,
  db: Db,
  env: Env,
  people: readonly (Addressee & { steps: readonly Step[] })[],
): Promise<SendInputs> {
  const none: SendInputs = { candidates: new Map(), channels: new Map(), suppressed: new Map() }
  const types = new Set(people.flatMap(({ steps }) => steps.map((step) => step.type)).filter(isProviderChannel))
  if (types.size === 0) return none
  const candidates = toCandidates(ctx, await listIntegrations(db, env))
  const addresses = people.flatMap(({ steps, ...to }) => steps.flatMap((step) => addressOf(step, to) ?? []))
  const ids = [...new Set(people.map(({ subscriber }) => subscriber.id))]
  return {
    candidates,
    channels:
      types.has('chat') || types.has('push') ? await loadChannels(ctx, db, env, ids, { toSend: false }) : new Map(),
    suppressed: await findSuppressions(db, env, [...new Set(addresses)]),
  }
}

/** For e-mail and SMS: the trigger's address, or the subscriber's own. */
function addressOf(step: Step, { subscriber, overrides }: Addressee): string | null {
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

type SendingStep = Addressee & {
  step: Step
  scope: ConditionScope
  critical: boolean
  contextKeys: readonly string[] | null
}

/** Whether a step can reach the subscriber, where, and through which integration first. */
export function planSend(channel: ProviderChannel, sending: SendingStep, inputs: SendInputs): SendPlan {
  const { step, overrides, scope, critical } = sending
  const all = inputs.candidates.get(channel) ?? []
  const named = channelOverrides(overrides, channel, step.stepId).integrationIdentifier
  if (all.length === 0) return { kind: 'fail', why: `No active ${channel} integration` }
  const isNamed = typeof named === 'string'
  const candidates = candidatesFor(all, scope, named)
  const [first] = candidates
  if (!first) {
    return isNamed
      ? { kind: 'fail', why: `No active ${channel} integration has the identifier "${cutText(named, 100)}"` }
      : { kind: 'skip', why: `The conditions of every ${channel} integration exclude this subscriber` }
  }
  if (channel === 'chat' || channel === 'push') {
    return planPerIntegration(channel, sending, candidates, isNamed, inputs)
  }
  const address = addressOf(step, sending)
  if (!address) {
    const what = channel === 'email' ? 'an e-mail address' : 'a phone number'
    return { kind: 'skip', why: `Subscriber does not have ${what}`, errorId: 'no_address' }
  }
  const suppressed = inputs.suppressed.get(`${channel}:${normalAddress(address)}`)
  // Critical messages go to unsubscribed addresses too, but never to one that bounced or complained.
  if (suppressed && !(critical && suppressed === 'unsubscribed')) {
    return { kind: 'skip', why: `The address is on the suppression list (${suppressed})`, errorId: 'suppressed' }
  }
  return { kind: 'send', targets: [{ integration: null, address }], first, named: isNamed }
}

/** Push: one message for each integration that can reach the subscriber. Chat: also for each endpoint. */
function planPerIntegration(
  channel: 'chat' | 'push',
  { subscriber, contextKeys }: SendingStep,
  candidates: Candidate[],
  named: boolean,
  inputs: SendInputs,
): SendPlan {
  const channels = inputs.channels.get(subscriber.id)
  const targets = candidates.flatMap((integration): Target[] => {
    const own = channels?.get(integration.id)
    const target = { integration, address: null }
    if (channel === 'push') return hasDevices(own, contextKeys) ? [target] : []
    const isOwn = isReachable(integration.provider, own, subscriber)
    // A webhook that the credentials name, too, is told once.
    const named = isOwn && own?.webhookUrl !== undefined ? webhookPlace(own.webhookUrl) : null
    const others = reachedIn(own?.endpoints, contextKeys).filter(({ place }) => place !== named)
    const endpoints = others.map(({ id }) => ({ ...target, endpointId: id }))
    return isOwn ? [target, ...endpoints] : endpoints
  })
  const first = targets[0]?.integration
  if (!first) {
    const what = channel === 'chat' ? 'chat channel' : 'device token'
    return { kind: 'skip', why: `Subscriber does not have a ${what} for any active integration`, errorId: 'no_address' }
  }
  return { kind: 'send', targets, first, named }
}

/** By the subscriber's credentials. */
function isReachable(provider: Provider, channel: ChannelCredentials | undefined, subscriber: SubscriberRow): boolean {
  switch (provider.address ?? 'webhookUrl') {
    case 'webhookUrl':
      return Boolean(channel?.webhookUrl)
    case 'channel':
      return Boolean(channel?.channel)
    case 'phone':
      return Boolean(subscriber.phone)
    case 'none':
      return false
  }
}
