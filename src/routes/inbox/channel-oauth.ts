import { Type } from 'typebox'
import { connectFields, installFields, scopesInput } from '../../core/channels/connect-input.ts'
import { connectOwn } from '../../core/channels/connect-own.ts'
import { chooseContexts } from '../../core/channels/own-channels.ts'
import { defineInboxRoute } from '../../http/inbox/define-inbox-route.ts'
import { subscriberIdInput } from '../../lib/inputs.ts'
import { fields, oneOf } from '../../lib/schemas.ts'

const common = { ...connectFields, subscriberId: Type.Optional(subscriberIdInput) }

const reply = { status: 201, response: Type.Object({ data: Type.Object({ url: Type.String() }) }) } as const

/** Where a person agrees at the vendor. */
export const routes = {
  'channel-connections-oauth': defineInboxRoute({
    method: 'POST',
    path: '/v1/inbox/channel-connections/oauth',
    summary: 'The address at the vendor where the person installs the app in a workspace',
    body: fields({ ...common, ...installFields }),
    ...reply,
    beforeTransaction: ({ person, body, ...args }) => chooseContexts(args, person, body),
    async handler({ body, person, prepared, ...scope }) {
      return { data: await connectOwn(scope, person, prepared, { ...body, mode: 'connect' }) }
    },
  }),
  'channel-endpoints-oauth': defineInboxRoute({
    method: 'POST',
    path: '/v1/inbox/channel-endpoints/oauth',
    summary: 'The address at the vendor where the person says who they are there',
    body: fields({ ...common, userScope: scopesInput }),
    ...reply,
    beforeTransaction: ({ person, body, ...args }) => chooseContexts(args, person, body),
    async handler({ body, person, prepared, ...scope }) {
      return { data: await connectOwn(scope, person, prepared, { ...body, mode: 'link', scope: body.userScope }) }
    },
  }),
  'chat-oauth': defineInboxRoute({
    method: 'POST',
    path: '/v1/inbox/chat/oauth',
    summary: 'The older form of channel-connections/oauth and channel-endpoints/oauth in one',
    body: fields({
      ...common,
      ...installFields,
      userScope: scopesInput,
      mode: Type.Optional(oneOf(['connect', 'link_user'])),
    }),
    ...reply,
    beforeTransaction: ({ person, body, ...args }) => chooseContexts(args, person, body),
    async handler({ body, person, prepared, ...scope }) {
      const isLink = body.mode === 'link_user'
      const asked = { ...body, mode: isLink ? 'link' : 'connect', scope: isLink ? body.userScope : body.scope } as const
      return { data: await connectOwn(scope, person, prepared, asked) }
    },
  }),
}
