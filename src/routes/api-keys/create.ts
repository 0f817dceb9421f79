import { Type } from 'typebox'
import { createApiKey } from '../../core/operations/change-api-keys.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'POST',
  path: '/v1/api-keys',
  summary: 'Make a second API key, to change over to; its text is shown this once',
  body: fields({ name: Type.String({ minLength: 1, maxLength: 100, format: 'identifier' }) }),
  status: 201,
  response: Type.Object({
    id: Type.String(),
    name: Type.String(),
    createdAt: Type.String({ format: 'date-time' }),
    key: Type.String({ description: 'Keep it: only its hash is stored.' }),
  }),
  async handler({ ctx, db, env, now, body: { name } }) {
    const { id, text } = await createApiKey(ctx, db, env, name, now)
    return { id, name, createdAt: now.toISOString(), key: text }
  },
})
