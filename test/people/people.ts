import { openPersonSession } from '../../src/core/people/sign-in-person.ts'
import { uuid7 } from '../../src/lib/uuid7.ts'
import { insertMember, type Roles } from '../../src/store/people/members.ts'
import { insertPerson } from '../../src/store/people/persons.ts'
import { unique } from '../fixture-makers.ts'
import type { Client, Harness, Json, Reply } from '../harness.ts'

/** What the dashboard adds to its requests. */
export const ofDashboard = { 'x-tidings-session': '1' }
export const goodPassword = 'a quiet evening by the lake'

export function cookieOf({ headers }: Pick<Reply, 'headers'>): string {
  return headers.get('set-cookie')?.split(';')[0] ?? ''
}

/** What a person sends: they are signed in. */
export type SignedIn = { personId: string; email: string; name: string; headers: Record<string, string> }

/** Past the front door, because a password takes its time: for tests that need many. */
export async function addPerson(
  h: Pick<Harness, 'admin'>,
  organizationId: string,
  { role, environments = {} }: Partial<Roles>,
): Promise<SignedIn> {
  const [now, email] = [new Date(), `${unique('person')}@example.com`]
  const person = { id: uuid7(now), email, name: email.split('@')[0] ?? '', passwordHash: null }
  await insertPerson(h.admin, person, now)
  await insertMember(h.admin, { organizationId, personId: person.id }, { role: role ?? null, environments }, now)
  const origin = { address: '192.0.2.7', agent: 'test' }
  const token = await openPersonSession(h.admin, now, { person, organizationId, origin })
  return { ...person, personId: person.id, headers: { ...ofDashboard, cookie: `tidings_session=${token}` } }
}

type Asked = { role?: string | null; environments?: Json[]; email?: string }

/** Its token, and the rest of the answer. The key must reach the organization. */
export async function makeInvitation(env: Client, asked: Asked = {}): Promise<{ token: string; body: Json }> {
  const email = asked.email ?? `${unique('invited')}@example.com`
  const { body } = await env.post('/v1/members/invitations', { role: 'viewer', ...asked, email })
  return { token: body.link.split('#token=')[1], body }
}

/** Invited, and accepted with `goodPassword`. */
export async function makeMember(env: Client, asked: Asked = {}): Promise<SignedIn> {
  const { token, body } = await makeInvitation(env, asked)
  const name = unique('Ada')
  const reply = await env.post('/session/accept', { token, name, password: goodPassword }, ofDashboard)
  if (!reply.body.person) throw new Error(`an invitation was not accepted: ${reply.status} ${reply.text}`)
  const headers = { ...ofDashboard, cookie: cookieOf(reply) }
  return { personId: reply.body.person.id, email: body.email, name, headers }
}
