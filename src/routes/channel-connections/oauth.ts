import { type Static, Type } from 'typebox'
import { startConnect } from '../../core/channels/connect.ts'
import { connectFields, installFields, scopesInput } from '../../core/channels/connect-input.ts'
import { readContextKeys } from '../../core/channels/endpoint-input.ts'
import type { Scope } from '../../core/channels/save-endpoint.ts'
import { getIntegrationByIdentifier } from '../../core/integrations/save-integration.ts'
import { invalidField } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { subscriberIdInput } from '../../lib/inputs.ts'
import { fields, oneOf } from '../../lib/schemas.ts'
import type { ConnectMode } from '../../providers/connect.ts'

const common = { ...connectFields, subscriberId: Type.Optional(subscriberIdInput) }
const olderForm = fields({
  ...common,
  ...installFields,
  userScope: scopesInput,
  mode: Type.Optional(oneOf(['connect', 'link_user'])),
})
const reply = { status: 201, response: Type.Object({ url: Type.String() }) } as const

/** Where somebody agrees at the vendor. */
export const routes = {
  oauth: defineRoute({
    method: 'POST',
    path: '/v1/integrations/channel-connections/oauth',
    summary: 'The address at the vendor where somebody installs the app in a workspace',
    body: fields({ ...common, ...installFields }),
    ...reply,
    handler: ({ body, ...scope }) => start(scope, body, 'connect'),
  }),
  'link-oauth': defineRoute({
    method: 'POST',
    path: '/v1/integrations/channel-endpoints/oauth',
    summary: 'The address at the vendor where a subscriber says who they are there',
    body: fields({ ...connectFields, subscriberId: subscriberIdInput, userScope: scopesInput }),
    ...reply,
    handler: ({ body, ...scope }) => start(scope, { ...body, scope: body.userScope }, 'link'),
  }),
  'chat-oauth': defineRoute({
    method: 'POST',
    path: '/v1/integrations/chat/oauth',
    summary: 'The older form of channel-connections/oauth and channel-endpoints/oauth in one',
    body: olderForm,
    ...reply,
    async handler({ body, ...scope }) {
      if (body.mode !== 'link_user') return start(scope, body, 'connect')
      if (body.subscriberId === undefined) throw invalidField('subscriberId', 'is required to link somebody')
      return start(scope, { ...body, scope: body.userScope }, 'link')
    },
  }),
}

type Asked = Omit<Static<typeof olderForm>, 'scope'> & { scope?: readonly string[] | undefined }

async function start({ ctx, db, env, now }: Scope, asked: Asked, mode: ConnectMode): Promise<{ url: string }> {
  const integration = await getIntegrationByIdentifier(db, env, asked.integrationIdentifier)
  const isShared = mode === 'connect' && asked.connectionMode === 'shared'
  return startConnect(
    { ctx, db, env, now },
    {
      integration,
      mode,
      connectionIdentifier: asked.connectionIdentifier,
      subscriberId: asked.subscriberId?.trim(),
      isShared,
      contextKeys: readContextKeys(asked.context),
      scope: asked.scope,
      linksPerson: mode === 'link' || (asked.autoLinkUser ?? !isShared),
    },
  )
}
