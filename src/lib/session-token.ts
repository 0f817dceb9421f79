import { randomBytes } from 'node:crypto'
import { uuid7 } from './uuid7.ts'

// <environment>.<row>.<secret>: the row is looked up inside its environment, and only for a well-formed token.
const shape = /^([0-9a-f]{32})\.([0-9a-f]{32})\.[A-Za-z0-9_-]{43}$/

export type NewSessionToken = { id: string; text: string }

/** For a session or a sign-in link. */
export function newSessionToken(environmentId: string, now: Date): NewSessionToken {
  const id = uuid7(now)
  return { id, text: tokenOf(environmentId, id) }
}

/** Another one for a row that exists. `placeId`: what the row is in, an environment or an organization. */
export function tokenOf(placeId: string, id: string): string {
  return `${toHex(placeId)}.${toHex(id)}.${randomBytes(32).toString('base64url')}`
}

export function readSessionToken(text: string): { environmentId: string; id: string } | null {
  const [, environment, id] = shape.exec(text) ?? []
  return environment && id ? { environmentId: toUuid(environment), id: toUuid(id) } : null
}

// p.<organization>.<row>.<secret>
const personPrefix = 'p.'

/** For the session of a person, who belongs to an organization. */
export function newPersonToken(organizationId: string, now: Date): NewSessionToken {
  const { id, text } = newSessionToken(organizationId, now)
  return { id, text: personPrefix + text }
}

export function readPersonToken(text: string): { organizationId: string; id: string } | null {
  const read = text.startsWith(personPrefix) ? readSessionToken(text.slice(personPrefix.length)) : null
  return read && { organizationId: read.environmentId, id: read.id }
}

function toHex(uuid: string): string {
  return uuid.replaceAll('-', '')
}

function toUuid(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
