import { Type } from 'typebox'
import { environmentSchema, showEnvironment } from '../../core/replies/environment-json.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'GET',
  path: '/v1/environment',
  summary: 'The environment of this key: the public identifier that inboxes name, and what they must prove',
  response: Type.Object({ data: environmentSchema }),
  handler: async ({ ctx, db, env }) => ({ data: await showEnvironment(ctx, db, env) }),
})
