import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { operations } from '../../src/core/access/operations.ts'
import { permissions } from '../../src/core/access/permissions.ts'
import { issueApiKey } from '../../src/core/operations/bootstrap.ts'
import type { KeyRoute } from '../../src/http/define-route.ts'
import type { StreamRoute } from '../../src/http/define-stream.ts'
import { apiKeyId } from '../../src/lib/api-key.ts'
import { roles, scopes } from '../../src/store/access/grants.ts'
import type { Roles } from '../../src/store/people/members.ts'
import { type Client, type Harness, underRowLevelSecurity } from '../harness.ts'
import { addPerson } from '../people/people.ts'
import type { Strangers } from './strangers.ts'
import { rowsOf } from './tenant-rows.ts'

type Sent = { env: Client; path: string; body?: unknown }

// Judged after who may call it, and before anything is done: so nothing happens in either case. A GET changes nothing.
const faulty = { 'idempotency-key': ' ' }

type Subject = { route: KeyRoute | StreamRoute; strangers: Strangers }

// Who may call it is judged before anything of the environment is read: the wall of the database changes nothing.
const inMain = test.skipIf(underRowLevelSecurity)

/** Every scope of a key and every role of a person on this route. */
export function grantContract(h: Harness, { route, strangers }: Subject, arrangedOnce: () => Promise<Sent>): void {
  const permission = operations[route.name]
  if (!permission) throw new Error(`${route.name} has no entry in src/core/access/operations.ts`)
  const by: readonly string[] = permissions[permission].by
  const isOfOrganization = permissions[permission].of === 'organization'

  const ask = async ({ path, body }: Sent, proof: Record<string, string>) => {
    const stop = new AbortController()
    const headers = { ...proof, 'content-type': 'application/json', ...faulty }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const reply = await fetch(h.url + path, { method: route.method, headers, ...sent, signal: stop.signal })
    // A stream has no end.
    const code = reply.status < 400 ? '' : codeIn(await reply.json())
    stop.abort()
    return { code, what: `${route.name} (${permission}): ${reply.status} ${code}` }
  }

  inMain('each scope of a key may call it or not, as docs/roles.md says; refused, nothing happens', async () => {
    const sent = await arrangedOnce()
    const before = await rowsOf(h, sent.env)
    for (const scope of scopes) {
      const { environmentId } = sent.env
      // Some routes are about another environment.
      const made = { environmentId, name: scope, cell: 'c1', now: new Date(), scope, reach: 'organization' } as const
      const key = await issueApiKey(h.admin, made)
      const { code, what } = await ask(sent, { authorization: `ApiKey ${key}` })
      expect(code === 'not_permitted', `${scope} on ${what}`).toBe(!by.includes(scope))
      await sql`delete from api_key where id = ${apiKeyId(key)}`.execute(h.admin)
    }
    expect(await rowsOf(h, sent.env)).toEqual(before)
  })

  inMain('each role of a person: everywhere, here alone, everywhere but here, in another organization', async () => {
    const sent = await arrangedOnce()
    const { environmentId, organizationId } = sent.env
    const before = await rowsOf(h, sent.env)
    const askAs = async (organization: string, roles: Partial<Roles>) => {
      const { headers, personId } = await addPerson(h, organization, roles)
      const answer = await ask(sent, { ...headers, 'tidings-environment': environmentId })
      await sql`delete from person where id = ${personId}`.execute(h.admin)
      return answer
    }
    for (const role of roles) {
      const everywhere = await askAs(organizationId, { role })
      expect(everywhere.code === 'not_permitted', `${role} on ${everywhere.what}`).toBe(!by.includes(role))
      if (role === 'owner') continue
      const here = await askAs(organizationId, { role: null, environments: { [environmentId]: role } })
      // Which environment it is about is seen first, where a route names one.
      const mayHere = by.includes(role) && !isOfOrganization && !aboutAnother(route, sent)
      expect(here.code.match(/^not_permitted$|_out_of_reach$/) === null, `${role} here on ${here.what}`).toBe(mayHere)
      const butHere = await askAs(organizationId, { role, environments: { [environmentId]: null } })
      expect(butHere.code, `${role} but here on ${butHere.what}`).toMatch(
        /^environment_(not_found|out_of_reach)$|^unauthorized$/,
      )
    }
    const [, other] = await strangers.refused()
    const stranger = await askAs(other?.organizationId ?? '', { role: 'owner' })
    expect(stranger.code, `a stranger on ${stranger.what}`).toBe('environment_not_found')
    expect(await rowsOf(h, sent.env)).toEqual(before)
  })
}

/** Its path or body names an environment that is not the one the caller is in. */
function aboutAnother({ path }: { path: string }, sent: Sent): boolean {
  const named = /\{(environmentId|targetEnvironmentId)\}/.test(path) || 'targetEnvironmentId' in Object(sent.body)
  return named && !sent.path.includes(sent.env.environmentId)
}

function codeIn(error: unknown): string {
  return String(Object(error).code)
}
