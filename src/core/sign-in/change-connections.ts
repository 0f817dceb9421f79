import { domainToASCII } from 'node:url'
import type { Ctx } from '../../context.ts'
import { ApiError, invalidField } from '../../errors.ts'
import { isEmail } from '../../lib/formats.ts'
import { isUuid7, uuid7 } from '../../lib/uuid7.ts'
import type { Db, Env } from '../../store/database.ts'
import { lockMembers } from '../../store/people/members.ts'
import {
  deleteSignInConnection,
  forgetIdentities,
  isLastWayIn,
  listSignInConnections,
  type SignInConnection,
  saveSignInConnection,
} from '../../store/people/sign-in-connections.ts'
import { noteChange } from '../record/note-change.ts'
import type { ConnectionBody } from './connection-json.ts'
import { sealSecret } from './connection-secret.ts'
import { refuseIssuer } from './issuer.ts'

type Scope = { ctx: Ctx; db: Db; env: Env; now: Date }
type Given = { [K in keyof ConnectionBody]?: ConnectionBody[K] | undefined }

const most = 20

export async function createConnection(scope: Scope, given: ConnectionBody): Promise<SignInConnection> {
  const { ctx, db, env, now } = scope
  const { organizationId } = env
  await lockMembers(db, organizationId)
  if ((await listSignInConnections(db, organizationId)).length >= most)
    throw new ApiError('too_many_sign_in_connections')
  const place = { organizationId, id: uuid7(now) }
  const { clientSecret, ...others } = given
  const made: SignInConnection = {
    ...place,
    scopes: ['email', 'profile'],
    trustsEmail: false,
    groupsClaim: null,
    groupRoles: [],
    defaultRole: null,
    joins: false,
    active: true,
    ...settled(ctx, others),
    name: others.name.trim(),
    issuer: others.issuer,
    clientId: others.clientId,
    domains: toDomains(others.domains),
    clientSecret: sealSecret(ctx, place, clientSecret),
  }
  refuseNonsense(made)
  await saveSignInConnection(db, made)
  noteChange(db, subjectOf(made), { after: toNoted(made) })
  return made
}

/** What is not given stays. Another issuer or client knows other people: who was who is forgotten. */
export async function changeConnection(scope: Scope, id: string, given: Given): Promise<SignInConnection> {
  const { ctx, db, env } = scope
  await lockMembers(db, env.organizationId)
  const before = await getConnection(db, env, id)
  const { clientSecret, ...others } = given
  const after: SignInConnection = {
    ...before,
    ...settled(ctx, others),
    ...(clientSecret !== undefined && { clientSecret: sealSecret(ctx, before, clientSecret) }),
  }
  refuseNonsense(after)
  if (before.active && !after.active) await refuseLastWay(db, before)
  await saveSignInConnection(db, after)
  if (after.issuer !== before.issuer || after.clientId !== before.clientId) await forgetIdentities(db, before)
  noteChange(db, subjectOf(after), {
    before: { ...toNoted(before), clientSecret: 'as before' },
    after: { ...toNoted(after), clientSecret: clientSecret === undefined ? 'as before' : 'another' },
  })
  return after
}

export async function deleteConnection({ db, env }: Scope, id: string): Promise<void> {
  await lockMembers(db, env.organizationId)
  const found = await getConnection(db, env, id)
  await refuseLastWay(db, found)
  await deleteSignInConnection(db, found)
  noteChange(db, subjectOf(found), { before: toNoted(found) })
}

export async function getConnection(db: Db, { organizationId }: Env, id: string): Promise<SignInConnection> {
  const [found] = isUuid7(id) ? await listSignInConnections(db, organizationId, id) : []
  if (!found) throw new ApiError('sign_in_connection_not_found')
  return found
}

/** Where owners come in by it, another of them can come in without it. */
async function refuseLastWay(db: Db, it: SignInConnection): Promise<void> {
  if (await isLastWayIn(db, it)) throw new ApiError('last_way_in')
}

function settled(ctx: Ctx, given: Omit<Given, 'clientSecret'>): Partial<SignInConnection> {
  const { name, domains, scopes, ...others } = given
  if (others.issuer !== undefined) {
    const refusal = refuseIssuer(ctx, others.issuer)
    if (refusal !== null) throw invalidField('issuer', `cannot be used: ${refusal}`)
  }
  const all = {
    ...others,
    name: name?.trim(),
    domains: domains && toDomains(domains),
    scopes: scopes && [...new Set(scopes)].filter((scope) => scope !== 'openid'),
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

/** As they are compared. */
function toDomains(given: readonly string[]): string[] {
  const all = given.map((text) => {
    const domain = domainToASCII(text.trim().replace(/^@/, '').toLowerCase())
    if (!isEmail(`somebody@${domain}`)) throw invalidField('domains', 'must be domains such as example.com')
    return domain
  })
  return [...new Set(all)]
}

function refuseNonsense({ groupsClaim, groupRoles, defaultRole, joins }: SignInConnection): void {
  if (groupRoles.length > 0 && groupsClaim === null)
    throw invalidField('groupsClaim', 'is needed: it says where the issuer names the groups')
  const groups = groupRoles.map(({ group }) => group)
  if (new Set(groups).size < groups.length) throw invalidField('groupRoles', 'names a group twice')
  if (joins && groupRoles.length === 0 && defaultRole === null)
    throw invalidField('defaultRole', 'or a group with a role is needed: whoever joins must become something')
}

function subjectOf({ id, name }: SignInConnection) {
  return { type: 'sign-in-connection', id, name }
}

function toNoted(it: SignInConnection): object {
  const { organizationId: _place, id: _id, clientSecret: _secret, groupRoles, ...others } = it
  return { ...others, groupRoles: groupRoles.map(({ group, role }) => `${group}: ${role}`) }
}
