import { randomBytes } from 'node:crypto'
import { uuid7 } from './uuid7.ts'

// <environment>.<row>.<secret>: the row is looked up inside its environment, and only for a well-formed token.
const shape = /^([0-9a-f]{32})\.([0-9a-f]{32})\.[A-Za-z0-9_-]{43}$/

export type NewSessionToken = { id: string; text: string }

/** For a session or a sign-in link. */
export function newSessionToken(environmentId: string, now: Date): NewSessionToken {
  const id = uuid7(now)
  return { id, text: `${toHex(environmentId)}.${toHex(id)}.${randomBytes(32).toString('base64url')}` }
}

export function readSessionToken(text: string): { environmentId: string; id: string } | null {
  const [, environment, id] = shape.exec(text) ?? []
  return environment && id ? { environmentId: toUuid(environment), id: toUuid(id) } : null
}

function toHex(uuid: string): string {
  return uuid.replaceAll('-', '')
}

function toUuid(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
