import { expect } from 'vitest'
import { unique } from '../fixture-makers.ts'
import type { Client, Harness, Json, Reply } from '../harness.ts'
import { type Issuer, type IssuerAccount, startIssuer } from '../peers/issuer.ts'
import { ofDashboard } from './people.ts'

export const ourAddress = 'https://tidings.example.com'
export const redirectUri = `${ourAddress}/sign-in/callback`

let shared: Promise<Issuer> | undefined
/** One for all of a test file; it ends with the process. */
export function sharedIssuer(): Promise<Issuer> {
  shared ??= startIssuer({ redirectUris: [redirectUri] })
  return shared
}

export type Connection = { organizationId: string; id: string; domain: string }

/** With a domain of its own. The key must reach the organization. */
export async function makeConnection(env: Client, issuer: Issuer, given: Json = {}): Promise<Connection> {
  const domain = `${unique('corp')}.example.com`
  const { clientId, clientSecret, url } = issuer
  const { status, body, text } = await env.post('/v1/organization/sign-in-connections', {
    ...{ name: 'Corp', issuer: url, clientId, clientSecret, domains: [domain] },
    ...{ joins: true, defaultRole: 'viewer', ...given },
  })
  expect(status, text).toBe(201)
  return { organizationId: env.organizationId, id: body.id, domain: body.domains[0] }
}

/** Somebody at the issuer: the name of the account is the subject. */
export function makeAccount(issuer: Issuer, domain: string, given: IssuerAccount = {}): { id: string; email: string } {
  const id = unique('ada')
  const email = given.email ?? `${id}@${domain}`
  issuer.accounts.set(id, { email, email_verified: true, name: 'Ada Lovelace', ...given })
  return { id, email }
}

export type Browser = {
  cookies: Map<string, string>
  ask(method: string, path: string, body?: unknown): Promise<Reply>
  begin(connection: Connection, given?: { next?: string; email?: string }): Promise<Reply>
  /** `query`: of the address that the issuer sent it to. */
  finish(returned: URL): Promise<Reply>
  /** All of it. */
  signIn(issuer: Issuer, connection: Connection, account: { id: string }, next?: string): Promise<Reply>
}

export function newBrowser(h: Pick<Harness, 'send'>): Browser {
  const cookies = new Map<string, string>()
  const browser: Browser = {
    cookies,
    async ask(method, path, body) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const headers = { ...ofDashboard, ...(cookie && { cookie }) }
      const reply = await h.send(method, path, { key: null, headers, ...(body !== undefined && { body }) })
      for (const set of reply.headers.getSetCookie()) {
        const [name = '', value = ''] = (set.split(';')[0] ?? '').split('=', 2)
        if (value) cookies.set(name, value)
        else cookies.delete(name)
      }
      return reply
    },
    begin: ({ organizationId, id }, given = {}) =>
      browser.ask('POST', '/session/connection', { organizationId, connectionId: id, ...given }),
    finish: (returned) => browser.ask('POST', '/session/connection/finish', { query: returned.search.slice(1) }),
    async signIn(issuer, connection, account, next) {
      const begun = await browser.begin(connection, next === undefined ? {} : { next })
      expect(begun.status, begun.text).toBe(200)
      return browser.finish(await issuer.visit(begun.body.url, account.id))
    },
  }
  return browser
}
