import { Type } from 'typebox'
import { authInput, changeConnection, workspaceSchema } from '../../core/channels/save-connection.ts'
import { connectionSchema, toConnectionJson } from '../../core/replies/channel-json.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'PATCH',
  path: '/v1/channel-connections/{identifier}',
  summary: 'Give a channel connection new tokens; what was refused before is tried again',
  body: fields({ workspace: workspaceSchema, auth: Type.Optional(authInput) }),
  response: connectionSchema,
  async handler({ ctx, db, env, now, params, body }) {
    const { workspace, auth } = body
    return toConnectionJson(await changeConnection({ ctx, db, env, now }, params.identifier, { workspace, auth }))
  },
})
