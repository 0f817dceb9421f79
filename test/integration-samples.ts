import { sql } from 'kysely'
import type { CredentialField, Provider } from '../src/providers/provider.ts'
import type { Client, Harness, Json } from './harness.ts'

/** A valid value for a provider's field. Every secret differs and is long enough to show its last four characters. */
export function sampleValue(name: string, field: CredentialField): string | boolean | object {
  if (name.endsWith('RequestHeader') || name === 'authenticationTokenKey') return 'x-api-key'
  switch (field.kind) {
    case 'url':
      return `https://hooks.example.com/${name}`
    case 'host':
      return 'smtp.example.com'
    case 'port':
      return '587'
    case 'flag':
      return true
    case 'object':
      return { rejectUnauthorized: true }
    case 'choice':
      return field.values?.[0] ?? ''
    case 'text':
      return `sample-of-${name}`
  }
}

type Wanted = (field: CredentialField, name: string) => boolean

export function sampleCredentials(provider: Provider, wanted: Wanted): Json {
  const entries = Object.entries(provider.credentials).filter(([name, field]) => wanted(field, name))
  return Object.fromEntries(entries.map(([name, field]) => [name, sampleValue(name, field)]))
}

/** What an integration must have to be active, and nothing else. */
export function leastCredentials(provider: Provider): Json {
  const required = sampleCredentials(provider, (field) => field.required)
  const missing = provider.missing?.(required) ?? []
  return sampleCredentials(provider, (field, name) => field.required || missing.includes(name))
}

export const sendgridKey = 'SG.secret-of-the-first-0001'

/** An active e-mail integration, unless told otherwise. */
export async function makeSendgrid(env: Client, extra: object = {}): Promise<Json> {
  const reply = await env.post('/v1/integrations', {
    providerId: 'sendgrid',
    channel: 'email',
    active: true,
    credentials: { apiKey: sendgridKey },
    ...extra,
  })
  if (reply.status !== 201) throw new Error(reply.text)
  return reply.body
}

/** The credentials of every integration of an environment as they are stored, opened, by the integration's id. */
export async function openedCredentials(h: Harness, env: Client): Promise<Record<string, Record<string, unknown>>> {
  const { rows } = await sql<{ id: string; credentials: Record<string, string> }>`
    select id, credentials from integration where environment_id = ${env.environmentId}`.execute(h.admin)
  const open = (id: string, field: string, text: string): unknown =>
    JSON.parse(h.ctx.sealer.open([env.environmentId, 'integration', id, 'credentials', field], text))
  return Object.fromEntries(
    rows.map(({ id, credentials }) => [
      id,
      Object.fromEntries(Object.entries(credentials).map(([field, text]) => [field, open(id, field, text)])),
    ]),
  )
}
