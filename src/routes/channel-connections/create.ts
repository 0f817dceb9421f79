import { Type } from 'typebox'
import { contextInput, identifierInput, readContextKeys } from '../../core/channels/endpoint-input.ts'
import { authInput, createConnection, readAuth, workspaceSchema } from '../../core/channels/save-connection.ts'
import { getIntegrationByIdentifier } from '../../core/integrations/save-integration.ts'
import { connectionSchema, toConnectionJson } from '../../core/replies/channel-json.ts'
import { defineRoute } from '../../http/define-route.ts'
import { subscriberIdInput } from '../../lib/inputs.ts'
import { fields, oneOf } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'POST',
  path: '/v1/channel-connections',
  summary: 'Add a workspace whose tokens you have already',
  body: fields({
    identifier: Type.Optional(identifierInput),
    subscriberId: Type.Optional(subscriberIdInput),
    context: contextInput,
    connectionMode: Type.Optional(oneOf(['subscriber', 'shared'])),
    integrationIdentifier: Type.String(),
    workspace: workspaceSchema,
    auth: Type.Optional(authInput),
  }),
  status: 201,
  response: connectionSchema,
  async handler({ ctx, db, env, now, body }) {
    const contextKeys = readContextKeys(body.context)
    const integration = await getIntegrationByIdentifier(db, env, body.integrationIdentifier)
    const subscriberId = body.connectionMode === 'shared' ? null : (body.subscriberId?.trim() ?? null)
    const { identifier, workspace } = body
    const auth = readAuth(ctx, integration.provider_id, body.auth)
    const given = { identifier, integration, subscriberId, contextKeys, workspace, auth }
    return toConnectionJson(await createConnection({ ctx, db, env, now }, given))
  },
})
