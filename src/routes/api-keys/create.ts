import { Type } from 'typebox'
import { refuseUnless } from '../../core/access/permissions.ts'
import { createApiKey } from '../../core/operations/change-api-keys.ts'
import { invalidField } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { readTime } from '../../lib/read-time.ts'
import { fields, oneOf } from '../../lib/schemas.ts'
import { reaches } from '../../store/access/api-keys.ts'
import { scopes } from '../../store/access/grants.ts'

export default defineRoute({
  method: 'POST',
  path: '/v1/api-keys',
  summary:
    'Make an API key that may do everything, to change over to, or less, for one program; its text is shown this once',
  body: fields({
    name: Type.String({ minLength: 1, maxLength: 100, format: 'identifier' }),
    scope: Type.Optional(oneOf(scopes, { description: 'What it may do: everything, unless something else is said.' })),
    reach: Type.Optional(oneOf(reaches, { description: 'Its environment, or all of its organization.' })),
    expiresAt: Type.Optional(Type.String({ description: 'From then on it opens nothing; ISO 8601.' })),
    note: Type.Optional(Type.String({ maxLength: 500 })),
  }),
  status: 201,
  response: Type.Object({
    id: Type.String(),
    name: Type.String(),
    scope: oneOf(scopes),
    createdAt: Type.String({ format: 'date-time' }),
    key: Type.String({ description: 'Keep it: only its hash is stored.' }),
  }),
  async handler({ ctx, db, env, now, body }) {
    const { name, scope = 'everything', reach, note } = body
    // It would be as good as an owner.
    if (reach === 'organization') refuseUnless(env, 'owners')
    const expiresAt = readTime('expiresAt', body.expiresAt) ?? undefined
    if (expiresAt && expiresAt <= now) throw invalidField('expiresAt', 'must lie ahead', body.expiresAt)
    const { id, text } = await createApiKey({ ctx, db, env, now }, { name, scope, reach, note, expiresAt })
    return { id, name, scope, createdAt: now.toISOString(), key: text }
  },
})
