import type { BodyOf } from '../../api/calls.ts'
import type { CredentialField, Integration, Provider, StepFilter } from '../../api/types.ts'
import { readObject } from '../../ui/form/json-field.tsx'

/** What a save sends; a new one also says its provider and channel. */
export type IntegrationBody = BodyOf<'put', '/v1/integrations/{integrationId}'>

/** What was typed so far. A credential that was not touched has no edit; null clears the stored one. */
export type Draft = {
  name: string
  identifier: string
  active: boolean
  edits: Record<string, string | boolean | null>
  whenUnknown: string
  inbound: boolean
  signingKey: string
  conditions: StepFilter[]
}

export function draftOf(provider: Provider, integration?: Integration): Draft {
  return {
    name: integration?.name ?? '',
    identifier: integration?.identifier ?? '',
    active: integration?.active ?? provider.available,
    edits: {},
    whenUnknown: String(integration?.configurations.whenUnknown ?? ''),
    inbound: integration?.configurations.inboundWebhookEnabled === true,
    signingKey: '',
    conditions: integration?.conditions ?? [],
  }
}

/** The text of a field: what was typed, else what is stored; of a secret only what was typed. */
export function textOf(field: CredentialField, draft: Draft, stored: Record<string, unknown>): string {
  const edit = draft.edits[field.name]
  if (typeof edit === 'string') return edit
  if (edit === null || field.secret) return ''
  const value = stored[field.name]
  if (field.kind === 'object') return isEmpty(value) ? '' : JSON.stringify(value, null, 2)
  return String(value ?? '')
}

const isEmpty = (value: unknown) => Object.keys(value ?? {}).length === 0

/**
 * Secrets that must be entered again: a field that decides where they go was changed, and the stored ones are not sent to a
 * new place.
 */
export function secretsToRepeat(provider: Provider, draft: Draft, stored: Record<string, unknown>): string[] {
  const sent = toCredentials(provider, draft, stored)
  const moved = provider.credentials.filter(({ name, where }) => where && name in sent)
  if (moved.length === 0) return []
  const isKept = (name: string) => stored[name] !== undefined && !(name in sent)
  return provider.credentials.filter(({ name, secret }) => secret && isKept(name)).map(({ name }) => name)
}

/** Faults that can be told without asking the server. */
export function draftFault(provider: Provider, draft: Draft, integration?: Integration): string | null {
  const repeat = secretsToRepeat(provider, draft, integration?.credentials ?? {})
  const [secret] = provider.credentials.filter(({ name }) => repeat.includes(name))
  if (secret) return `Enter ${secret.label} again, because the address changed.`
  const faulty = provider.credentials.find(({ name, kind }) => {
    const edit = draft.edits[name]
    return kind === 'object' && typeof edit === 'string' && 'fault' in readObject(edit)
  })
  return faulty ? `${faulty.label} is no JSON object.` : null
}

/** Only what changed: the server keeps the rest. */
export function toBody(provider: Provider, draft: Draft, integration?: Integration): IntegrationBody {
  const before = draftOf(provider, integration)
  const credentials = toCredentials(provider, draft, integration?.credentials ?? {})
  const configurations = toConfigurations(draft, before)
  const name = draft.name.trim()
  const identifier = draft.identifier.trim()
  return {
    ...(name && name !== before.name && { name }),
    ...(identifier && identifier !== before.identifier && { identifier }),
    ...((!integration || draft.active !== before.active) && { active: draft.active }),
    ...(Object.keys(credentials).length > 0 && { credentials }),
    ...(Object.keys(configurations).length > 0 && { configurations }),
    ...(JSON.stringify(draft.conditions) !== JSON.stringify(before.conditions) && { conditions: draft.conditions }),
  }
}

function toCredentials(provider: Provider, { edits }: Draft, stored: Record<string, unknown>) {
  const sent: Record<string, unknown> = {}
  for (const { name, kind, secret } of provider.credentials) {
    const edit = edits[name]
    if (edit === undefined) continue
    const typed = typeof edit === 'string' ? (kind === 'object' ? objectOf(edit) : edit.trim()) : edit
    // A secret left empty stays; anything else that was emptied is cleared.
    if (typed !== '' && !(kind === 'object' && isEmpty(typed))) sent[name] = typed
    else if (!secret && stored[name] !== undefined && !(kind === 'object' && isEmpty(stored[name]))) sent[name] = null
    if (JSON.stringify(sent[name]) === JSON.stringify(stored[name])) delete sent[name]
  }
  return sent
}

function objectOf(text: string): Record<string, unknown> {
  const read = readObject(text)
  return 'value' in read ? read.value : {}
}

function toConfigurations(draft: Draft, before: Draft): Record<string, unknown> {
  return {
    ...(draft.whenUnknown !== before.whenUnknown && { whenUnknown: draft.whenUnknown || null }),
    ...(draft.inbound !== before.inbound && { inboundWebhookEnabled: draft.inbound }),
    ...(draft.signingKey.trim() && { inboundWebhookSigningKey: draft.signingKey.trim() }),
  }
}
