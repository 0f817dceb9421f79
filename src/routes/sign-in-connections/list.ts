import { Type } from 'typebox'
import { connectionSchema, redirectUri, redirectUriAt, toConnectionJson } from '../../core/sign-in/connection-json.ts'
import { defineRoute } from '../../http/define-route.ts'
import { listSignInConnections } from '../../store/people/sign-in-connections.ts'

export default defineRoute({
  method: 'GET',
  path: '/v1/organization/sign-in-connections',
  summary: 'List the issuers that vouch for people of the organization (OpenID Connect), without their secrets',
  response: Type.Object({ data: Type.Array(connectionSchema), redirectUri }),
  async handler({ db, env, here }) {
    const found = await listSignInConnections(db, env.organizationId)
    return { data: found.map(toConnectionJson), redirectUri: here === null ? null : redirectUriAt(here) }
  },
})
