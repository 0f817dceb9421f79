import { Type } from 'typebox'
import type { Ctx } from '../../context.ts'
import { ApiError, invalidField } from '../../errors.ts'
import { fields } from '../../lib/schemas.ts'
import { secretPlaces } from '../../lib/secret-places.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import type { Auth, Workspace } from '../../providers/connect.ts'
import {
  type ConnectionRow,
  deleteConnection,
  findConnection,
  freeConnectionIdentifier,
  insertConnection,
  updateConnection,
} from '../../store/channels/connections.ts'
import type { Db, Env } from '../../store/database.ts'
import type { IntegrationRow } from '../../store/integrations.ts'
import { lockSubscriber } from '../../store/subscribers.ts'
import { isMask } from '../integrations/integration-credentials.ts'
import type { Scope } from './save-endpoint.ts'

const token = Type.String({ minLength: 1, maxLength: 10_000, format: 'identifier' })
const text = Type.String({ minLength: 1, maxLength: 255, format: 'identifier' })
const time = Type.String({ format: 'date-time' })

export const workspaceSchema = fields({ id: text, name: Type.Optional(text), botUserId: Type.Optional(text) })
export const authInput = fields({
  accessToken: token,
  refreshToken: Type.Optional(token),
  expiresAt: Type.Optional(time),
  refreshTokenExpiresAt: Type.Optional(Type.String({ description: 'Not needed: the vendor says so when it has.' })),
})
type GivenAuth = { accessToken: string; refreshToken?: string; expiresAt?: string }

/** As a caller's own server obtained it. Null: this vendor's app needs none (Teams). */
export function readAuth(ctx: Ctx, providerId: string, given: GivenAuth | undefined): Auth | null {
  const oauth = ctx.providers.find(providerId)?.oauth
  if (!oauth) throw new ApiError('connect_unsupported')
  if (!oauth.refresh) return null
  if (!given) throw invalidField('auth', 'is required')
  const { accessToken, refreshToken, expiresAt } = given
  for (const [name, value] of Object.entries({ accessToken, refreshToken })) {
    if (isMask(value)) throw invalidField(`auth.${name}`, 'is a mask; send the token itself')
  }
  const at = expiresAt === undefined ? undefined : new Date(expiresAt)
  if (at && Number.isNaN(at.getTime())) throw invalidField('auth.expiresAt', 'must be a date-time')
  return { accessToken, ...(refreshToken !== undefined && { refreshToken }), ...(at && { expiresAt: at }) }
}

export type NewConnection = {
  identifier?: string | undefined
  integration: IntegrationRow
  /** Null: it is shared. */
  subscriberId: string | null
  contextKeys: readonly string[]
  workspace: Workspace
  auth: Auth | null
}

export async function createConnection(scope: Scope, given: NewConnection): Promise<ConnectionRow> {
  const { db, env } = scope
  const made = await insert(scope, given)
  if (!made) throw new ApiError('connection_exists')
  return getConnection(db, env, made.identifier)
}

/** After somebody agreed at the vendor: a connection of this name is connected anew, if it is of this integration. */
export async function saveConnection(scope: Scope, given: NewConnection): Promise<ConnectionRow> {
  const { ctx, db, env, now } = scope
  const known = given.identifier === undefined ? null : await findConnection(db, env, given.identifier)
  if (!known) return createConnection(scope, given)
  if (known.integrationId !== given.integration.id) throw new ApiError('connection_exists')
  refuseOther(known, given)
  await updateConnection(db, env, known.id, toRenewed(ctx, env, known.id, given), now)
  return getConnection(db, env, known.identifier)
}

export async function changeConnection(
  { ctx, db, env, now }: Scope,
  identifier: string,
  given: { workspace: Workspace; auth: GivenAuth | undefined },
): Promise<ConnectionRow> {
  const known = await getConnection(db, env, identifier)
  refuseOther(known, given)
  const renewed = { workspace: given.workspace, auth: readAuth(ctx, known.providerId, given.auth) }
  await updateConnection(db, env, known.id, toRenewed(ctx, env, known.id, renewed), now)
  return getConnection(db, env, identifier)
}

/** Its endpoints are places in this workspace, and mean nothing in another. */
function refuseOther({ identifier, workspace: known }: ConnectionRow, { workspace }: Pick<NewConnection, 'workspace'>) {
  if (known.id === workspace.id) return
  const message = `"${identifier}" is the workspace ${known.name ?? known.id}; make another connection for ${workspace.name ?? workspace.id}.`
  throw new ApiError('connection_exists', { message })
}

export async function removeConnection({ db, env }: Scope, identifier: string): Promise<void> {
  const { id } = await getConnection(db, env, identifier)
  await deleteConnection(db, env, id)
}

export async function getConnection(db: Db, env: Env, identifier: string): Promise<ConnectionRow> {
  const row = await findConnection(db, env, identifier)
  if (!row) throw new ApiError('connection_not_found')
  return row
}

async function insert(scope: Scope, given: NewConnection): Promise<{ identifier: string } | null> {
  const { ctx, db, env, now } = scope
  const subscriber = given.subscriberId === null ? null : await lockSubscriber(db, env, given.subscriberId)
  if (given.subscriberId !== null && !subscriber) throw new ApiError('subscriber_not_found')
  const id = uuid7(now)
  const identifier = given.identifier ?? `chc_${id.replaceAll('-', '')}`
  await freeConnectionIdentifier(db, env, identifier)
  const own = { id, identifier, integrationId: given.integration.id, subscriberId: subscriber?.id ?? null }
  const { contextKeys } = given
  const isNew = await insertConnection(db, env, { ...own, contextKeys, ...toRenewed(ctx, env, id, given) }, now)
  return isNew ? { identifier } : null
}

function toRenewed(ctx: Ctx, env: Env, id: string, { workspace, auth }: Pick<NewConnection, 'workspace' | 'auth'>) {
  return { workspace, auth: auth && sealAuth(ctx, env, id, auth), expiresAt: auth?.expiresAt ?? null }
}

// A time after this is none: such a token does not expire.
const lastTime = Date.UTC(2100, 0, 1)

/** As a vendor gave it: a time that is none, or that no clock will see, is left out. */
export function toStorableAuth({ expiresAt, ...tokens }: Auth): Auth {
  const isTime = expiresAt !== undefined && expiresAt.getTime() < lastTime
  return { ...tokens, ...(isTime && { expiresAt }) }
}

/** The time of expiry is a column of its own. */
export function sealAuth(ctx: Ctx, env: Env, id: string, { accessToken, refreshToken }: Auth): string {
  const kept = { accessToken, ...(refreshToken !== undefined && { refreshToken }) }
  return ctx.sealer.seal(secretPlaces.connection({ ...env, id }), JSON.stringify(kept))
}

export function openAuth(
  ctx: Ctx,
  env: Env,
  id: string,
  sealed: string,
): { accessToken: string; refreshToken?: string } {
  return JSON.parse(ctx.sealer.open(secretPlaces.connection({ ...env, id }), sealed))
}
