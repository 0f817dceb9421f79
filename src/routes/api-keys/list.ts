import { Type } from 'typebox'
import { defineRoute } from '../../http/define-route.ts'
import { oneOf } from '../../lib/schemas.ts'
import { uuid7Time } from '../../lib/uuid7.ts'
import { listApiKeys, reaches } from '../../store/access/api-keys.ts'
import { findKeyMakers } from '../../store/access/change-records.ts'
import { actorTypes, scopes } from '../../store/access/grants.ts'

// Some fifty keys are live at most; of the revoked ones the newest are enough.
const most = 150

export default defineRoute({
  method: 'GET',
  path: '/v1/api-keys',
  summary: 'List the API keys of the environment, live ones first, then the revoked, newest first; never their text',
  response: Type.Object({
    data: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          name: Type.String(),
          createdAt: Type.String({ format: 'date-time' }),
          createdBy: Type.Optional(
            Type.Object(
              { type: oneOf(actorTypes), id: Type.String(), name: Type.String() },
              { description: 'As the record of changes knows it.' },
            ),
          ),
          current: Type.Boolean({ description: 'This call, or its session, uses it.' }),
          bootstrap: Type.Boolean({ description: "The operator's own: BOOTSTRAP_API_KEY." }),
          scope: oneOf(scopes),
          reach: oneOf(reaches),
          note: Type.Optional(Type.String()),
          expiresAt: Type.Optional(Type.String({ format: 'date-time', description: 'From then on it opens nothing.' })),
          lastUsedAt: Type.Optional(
            Type.String({ format: 'date-time', description: 'By a program or to sign in, to about a minute.' }),
          ),
          revokedAt: Type.Optional(Type.String({ format: 'date-time' })),
        },
        { title: 'ApiKey' },
      ),
    ),
  }),
  async handler({ db, env }) {
    const keys = await listApiKeys(db, env.environmentId)
    const makers = await findKeyMakers(
      db,
      env.organizationId,
      keys.map(({ id }) => id),
    )
    const data = keys.reverse().map((key) => ({
      id: key.id,
      name: key.name,
      createdAt: uuid7Time(key.id).toISOString(),
      ...createdBy(makers.get(key.id)),
      current: key.id === env.keyId,
      bootstrap: key.bootstrap,
      scope: key.scope,
      reach: key.reach,
      ...(key.note !== null && { note: key.note }),
      ...(key.expires_at && { expiresAt: key.expires_at.toISOString() }),
      ...(key.last_used_at && { lastUsedAt: key.last_used_at.toISOString() }),
      ...(key.revoked_at && { revokedAt: key.revoked_at.toISOString() }),
    }))
    // Live ones first, so that none is cut off.
    return { data: [...data.filter((key) => !key.revokedAt), ...data.filter((key) => key.revokedAt)].slice(0, most) }
  },
})

function createdBy<Maker>(maker: Maker | undefined) {
  return maker === undefined ? {} : { createdBy: maker }
}
