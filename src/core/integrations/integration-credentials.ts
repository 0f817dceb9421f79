import type { Ctx } from '../../context.ts'
import { type FieldErrors, validationFailed } from '../../errors.ts'
import { isPlainObject } from '../../lib/canonical-json.ts'
import { secretPlaces } from '../../lib/secret-places.ts'
import { isSecretTlsOption, isTlsOptionName, tlsOptionNames } from '../../lib/tls-options.ts'
import type { CredentialField, Provider } from '../../providers/provider.ts'

export type CredentialValue = string | boolean | Record<string, unknown>
export type Credentials = Record<string, CredentialValue>
/** As sent: null clears; a mask or an empty object keeps the stored value. */
export type SentCredentials = Record<string, CredentialValue | null | undefined>

type Place = { environmentId: string; id: string; column: 'credentials' | 'configurations' }

export const maskDots = '••••'

/** What did not change keeps its sealed text: by that a delivery sees that nothing moved (see variant.ts). */
export function sealFields(
  ctx: Ctx,
  place: Place,
  values: Credentials,
  before: Record<string, string>,
): Record<string, string> {
  const old = openFields(ctx, place, before)
  return mapValues(values, (value, name) => {
    const text = JSON.stringify(value)
    const kept = before[name]
    if (kept !== undefined && ctx.sealer.isCurrent(kept) && JSON.stringify(old[name]) === text) return kept
    return ctx.sealer.seal(secretPlaces.integrationField(place, place.column, name), text)
  })
}

export function openFields(ctx: Ctx, place: Place, sealed: Record<string, string>): Credentials {
  return mapValues(sealed, (text, name) =>
    JSON.parse(ctx.sealer.open(secretPlaces.integrationField(place, place.column, name), text)),
  )
}

/** Given fields replace, missing fields stay, null clears. */
export function mergeCredentials(stored: Credentials, sent: SentCredentials): Credentials {
  const merged: Credentials = { ...stored }
  for (const [name, value] of Object.entries(sent)) {
    if (value === undefined || keepsStored(value)) continue
    if (value === null) delete merged[name]
    else merged[name] = isPlainObject(value) ? withKeptSecrets(stored[name], value) : value
  }
  return merged
}

/** An object replaces the stored one as a whole; only a secret in it that comes back masked is the stored one. */
function withKeptSecrets(stored: CredentialValue | undefined, sent: Record<string, unknown>): Record<string, unknown> {
  const known = isPlainObject(stored) ? stored : {}
  const kept = Object.entries(sent).map(([name, value]) => [name, isMask(value) ? known[name] : value] as const)
  return Object.fromEntries(kept.filter(([, value]) => value !== undefined))
}

/**
 * What a reply shows: the values of this request as sent; of the others, secrets masked. A field that the provider does
 * not declare counts as secret.
 */
export function showCredentials(
  stored: Credentials,
  sent: SentCredentials,
  isSecret: (name: string) => boolean,
): Credentials {
  return mapValues(stored, (value, name) => {
    const given = sent[name]
    if (given !== undefined && given !== null) return given
    if (typeof value === 'boolean') return value
    if (isPlainObject(value)) return isSecret(name) ? {} : showObject(value)
    return isSecret(name) ? mask(value) : value
  })
}

function showObject(options: Record<string, unknown>): Record<string, unknown> {
  return mapValues(options, (value, name) => (isSecretTlsOption(name) ? mask(String(value)) : value))
}

export function isSecretOf(provider: Provider | undefined): (name: string) => boolean {
  const declared = new Map(Object.entries(provider?.credentials ?? {}))
  return (name) => {
    const field = declared.get(name)
    return !field || field.secret
  }
}

/** Throws 422 unless these credentials may be stored, and may be used: asked before each. */
export function refuseCredentials(
  ctx: Ctx,
  provider: Provider,
  { stored, credentials }: { stored: Credentials; credentials: Credentials },
  given: { sent: SentCredentials; complete: boolean },
): void {
  const faults = credentialFaults(ctx, provider, credentials, given)
  if (Object.keys(faults).length > 0) throw validationFailed(faults)
  const secrets = secretsToRepeat(provider, stored, credentials, given.sent)
  if (Object.keys(secrets).length > 0) throw validationFailed(secrets)
}

// Judged when they are sent, also where nobody reads them today: somebody may tomorrow.
const addressNames = ['webhookUrl', 'baseUrl', 'redirectUrl'] as const

/** Faults of what would be stored, by field. Fields just sent are checked even while the integration is inactive. */
export function credentialFaults(
  ctx: Ctx,
  provider: Provider,
  credentials: Credentials,
  { sent, complete }: { sent: SentCredentials; complete: boolean },
): FieldErrors {
  const errors: FieldErrors = {}
  const missing = provider.missing?.(credentials) ?? []
  const because = provider.needs === undefined ? '' : `. What it takes: ${provider.needs}`
  for (const [name, field] of Object.entries(provider.credentials)) {
    const value = credentials[name]
    const isSent = sent[name] !== undefined && sent[name] !== null
    const isMissing = field.required || missing.includes(name)
    const fault =
      value === undefined || value === ''
        ? complete && isMissing && `is required by ${provider.displayName}${field.required ? '' : because}`
        : (complete || isSent) && valueFault(ctx, name, field, value)
    if (fault) errors[`credentials.${name}`] = { messages: [fault] }
  }
  for (const name of addressNames) {
    const value = sent[name]
    if (provider.credentials[name] || typeof value !== 'string' || value === '' || isMask(value)) continue
    const fault = ctx.guard.refuseUrl(value)
    if (fault) errors[`credentials.${name}`] = { messages: [fault] }
  }
  return errors
}

/**
 * A stored secret was given for the server it goes to. When a field that decides about the server changes, every stored
 * secret must be sent again: whoever may change an integration need not know them.
 */
export function secretsToRepeat(
  provider: Provider,
  stored: Credentials,
  changed: Credentials,
  sent: SentCredentials,
): FieldErrors {
  const fields = Object.entries(provider.credentials)
  const moved = movedFields(provider, stored, changed)
  const isKept = (name: string) => stored[name] !== undefined && keepsStored(sent[name])
  const names = moved.map((name) => `credentials.${name}`).join(' and ')
  const fault = {
    messages: [`must be sent again, because ${names} changed: a stored secret is not sent to a new place`],
  }
  const kept = fields.filter(([name, { secret }]) => secret && isKept(name) && !moved.includes(name))
  return moved.length === 0 ? {} : Object.fromEntries(kept.map(([name]) => [`credentials.${name}`, fault]))
}

/** The fields that decide about the server, and are others now. */
export function movedFields(provider: Provider, stored: Credentials, changed: Credentials): string[] {
  return Object.entries(provider.credentials).flatMap(([name, { where }]) =>
    where && (stored[name] || null) !== (changed[name] || null) ? [name] : [],
  )
}

// authenticationTokenKey: the header that carries a fetched token.
const headerNames = /RequestHeader$|^authenticationTokenKey$/
const headerName = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/
const reservedHeaders =
  /^(host|content-length|content-type|transfer-encoding|connection|upgrade|te|trailer|expect|cookie)$/i

function valueFault(ctx: Ctx, name: string, field: CredentialField, value: CredentialValue): string | null {
  if (headerNames.test(name)) {
    const usable = headerName.test(String(value)) && !reservedHeaders.test(String(value))
    return usable ? null : 'must be the name of an HTTP header of your own, such as x-api-key'
  }
  switch (field.kind) {
    case 'url':
      return ctx.guard.refuseUrl(String(value))
    case 'host':
      return ctx.guard.refuseHost(String(value))
    case 'port':
      return /^\d{1,5}$/.test(String(value)) ? ctx.guard.refusePort(Number(value)) : 'must be a port number in digits'
    case 'choice':
      return field.values?.includes(String(value)) ? null : `must be one of: ${field.values?.join(', ')}`
    case 'object': {
      const unknown = isPlainObject(value) ? Object.keys(value).find((key) => !isTlsOptionName(key)) : undefined
      return unknown === undefined ? null : `may not hold "${unknown}"; it takes ${tlsOptionNames.join(', ')}`
    }
    case 'text':
    case 'flag':
      return null
  }
}

/** Enough to recognise a secret, not enough to use it. Cut between whole characters, so that it can be sent back. */
function mask(value: string): string {
  const characters = [...value]
  return characters.length < 12 ? maskDots : maskDots + characters.slice(-4).join('')
}

export function isMask(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith(maskDots)
}

/** What a sent value means is decided here only: where it is stored, and where it is asked what was sent again. */
function keepsStored(value: unknown): boolean {
  return value === undefined || isMask(value) || (isPlainObject(value) && Object.keys(value).length === 0)
}

function mapValues<In, Out>(object: Record<string, In>, map: (value: In, name: string) => Out): Record<string, Out> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value, name)]))
}
