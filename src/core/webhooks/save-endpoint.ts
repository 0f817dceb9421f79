import { type Static, Type } from 'typebox'
import type { Ctx } from '../../context.ts'
import { ApiError, invalidField } from '../../errors.ts'
import { fields, nullable, oneOf } from '../../lib/schemas.ts'
import { isUuid7, uuid7 } from '../../lib/uuid7.ts'
import type { Db, Env } from '../../store/database.ts'
import {
  countEndpoints,
  type EndpointRow,
  findEndpoint,
  insertEndpoint,
  lockEndpoint,
  lockEndpoints,
  markEndpointDeleted,
  updateEndpoint,
} from '../../store/webhooks/endpoints.ts'
import { eventTypes } from '../../store/webhooks/event-types.ts'
import { noteChange } from '../record/note-change.ts'
import { newSecret, rotateSecrets, sealSecrets } from './endpoint-secrets.ts'

type Scope = { ctx: Ctx; db: Db; env: Env; now: Date }

// Each event is written once for every endpoint that wants it, in the transaction that changes the row.
const mostEndpoints = 20
const hourMs = 3_600_000

const url = Type.String({ minLength: 1, maxLength: 2048, description: 'http or https; private addresses are refused.' })
const description = nullable(Type.String({ maxLength: 500 }))
const typesInput = nullable(
  Type.Array(oneOf(eventTypes), {
    minItems: 1,
    maxItems: eventTypes.length,
    description: 'What it is told of; null: everything, also what later versions tell of.',
  }),
)

export const newEndpoint = fields({
  url,
  description: Type.Optional(description),
  eventTypes: Type.Optional(typesInput),
})

export const endpointPatch = fields({
  url: Type.Optional(url),
  description: Type.Optional(description),
  eventTypes: Type.Optional(typesInput),
  status: Type.Optional(oneOf(['enabled', 'disabled'])),
})

/** The secret is shown now and never again. */
type WithSecret = { row: EndpointRow; secret: string }

export async function createEndpoint(scope: Scope, given: Static<typeof newEndpoint>): Promise<WithSecret> {
  const { ctx, db, env, now } = scope
  refuseUrl(ctx, given.url)
  await lockEndpoints(db, env)
  if ((await countEndpoints(db, env)) >= mostEndpoints) throw new ApiError('too_many_webhook_endpoints')
  const [id, secret] = [uuid7(now), newSecret()]
  const row = await insertEndpoint(
    db,
    env,
    {
      id,
      url: given.url,
      description: given.description ?? null,
      eventTypes: given.eventTypes ?? null,
      secrets: sealSecrets(ctx, env, id, [{ secret }]),
    },
    now,
  )
  noteEndpoint(db, undefined, row)
  return { row, secret }
}

/** Absent fields stay as they are. One that is enabled again begins as if nothing had failed. */
export async function changeEndpoint(
  { ctx, db, env, now }: Scope,
  id: string,
  patch: Static<typeof endpointPatch>,
): Promise<EndpointRow> {
  const row = await getLocked(db, env, id)
  if (patch.url !== undefined) refuseUrl(ctx, patch.url)
  const isEnabled = patch.status === 'enabled'
  const state = {
    ...(isEnabled && { state: 'enabled', disabled_reason: null, failing_since: null }),
    ...(patch.status === 'disabled' && row.state === 'enabled' && { state: 'disabled', disabled_reason: null }),
  }
  const changed = {
    ...row,
    ...state,
    ...(patch.url !== undefined && { url: patch.url }),
    ...(patch.description !== undefined && { description: patch.description }),
    ...(patch.eventTypes !== undefined && { event_types: patch.eventTypes }),
  }
  const saved = await updateEndpoint(db, env, id, changed, now)
  noteEndpoint(db, row, saved)
  return saved
}

export async function rotateSecret(
  { ctx, db, env, now }: Scope,
  id: string,
  overlapHours: number,
): Promise<WithSecret> {
  const row = await getLocked(db, env, id)
  const secret = newSecret()
  const secrets = rotateSecrets(ctx, env, row, { secret, overlapMs: overlapHours * hourMs, now })
  const saved = await updateEndpoint(db, env, id, { ...row, secrets }, now)
  noteEndpoint(db, row, saved)
  return { row: saved, secret }
}

export async function removeEndpoint({ db, env, now }: Scope, id: string): Promise<void> {
  if (!isUuid7(id) || !(await markEndpointDeleted(db, env, id, now))) throw new ApiError('webhook_endpoint_not_found')
}

export async function getEndpoint(db: Db, env: Env, id: string): Promise<EndpointRow> {
  const row = isUuid7(id) ? await findEndpoint(db, env, id) : null
  if (!row) throw new ApiError('webhook_endpoint_not_found')
  return row
}

async function getLocked(db: Db, env: Env, id: string): Promise<EndpointRow> {
  const row = isUuid7(id) ? await lockEndpoint(db, env, id) : null
  if (!row) throw new ApiError('webhook_endpoint_not_found')
  return row
}

/** For the record of changes. What follows the host may be a secret, like the secrets: only that it is another. */
function noteEndpoint(db: Db, before: EndpointRow | undefined, after: EndpointRow): void {
  const shown = ({ url: { origin }, description: about, event_types: eventTypes, state }: Shown) => {
    return { url: `${origin}/…`, description: about, eventTypes, state }
  }
  const others = {
    ...(before && before.url !== after.url && { rest: 'another' }),
    ...(before && before.secrets !== after.secrets && { secret: 'another' }),
  }
  const at = new URL(after.url)
  const subject = { type: 'webhook-endpoint', id: after.id, name: at.host }
  const former = before && shown({ ...before, url: new URL(before.url) })
  noteChange(db, subject, { before: former, after: { ...shown({ ...after, url: at }), ...others } })
}

type Shown = Omit<EndpointRow, 'url'> & { url: URL }

/** It may still lead to a private address later: the guard asks again whenever it is called. */
function refuseUrl(ctx: Ctx, given: string): void {
  const refusal = ctx.guard.refuseUrl(given)
  if (refusal) throw invalidField('url', refusal, given)
}
