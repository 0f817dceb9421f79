import { Type } from 'typebox'
import { defineRoute } from '../../http/define-route.ts'
import { uuid7Time } from '../../lib/uuid7.ts'
import { listApiKeys } from '../../store/access/api-keys.ts'

// At most two keys are live; of the revoked ones the newest are enough.
const most = 100

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
          current: Type.Boolean({ description: 'This call, or its session, uses it.' }),
          bootstrap: Type.Boolean({ description: "The operator's own: BOOTSTRAP_API_KEY." }),
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
    const data = keys.reverse().map((key) => ({
      id: key.id,
      name: key.name,
      createdAt: uuid7Time(key.id).toISOString(),
      current: key.id === env.keyId,
      bootstrap: key.bootstrap,
      ...(key.last_used_at && { lastUsedAt: key.last_used_at.toISOString() }),
      ...(key.revoked_at && { revokedAt: key.revoked_at.toISOString() }),
    }))
    // Live ones first, so that none is cut off.
    return { data: [...data.filter((key) => !key.revokedAt), ...data.filter((key) => key.revokedAt)].slice(0, most) }
  },
})
