import { Type } from 'typebox'
import { findMailWay } from '../../core/own-mails/mail-way.ts'
import { rolesProperties } from '../../core/people/given-roles.ts'
import { invite } from '../../core/people/invite.ts'
import { invitedSchema, toInvitedJson } from '../../core/people/member-json.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'POST',
  path: '/v1/members/invitations',
  summary: 'Invite somebody by their e-mail address; the link is shown this once, and mailed where a mail can be sent',
  body: fields({
    email: Type.String({ format: 'email', maxLength: 320 }),
    role: rolesProperties.role,
    environments: Type.Optional(rolesProperties.environments),
  }),
  status: 201,
  response: invitedSchema,
  beforeTransaction: { call: ({ ctx, env }) => findMailWay(ctx, env.organizationId) },
  handler: async ({ body, ...scope }) => toInvitedJson(await invite(scope, body)),
})
