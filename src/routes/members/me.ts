import { Type } from 'typebox'
import { defineRoute } from '../../http/define-route.ts'
import { oneOf } from '../../lib/schemas.ts'
import { actorTypes } from '../../store/access/grants.ts'

export default defineRoute({
  method: 'GET',
  path: '/v1/users/me',
  summary: 'Who acts: a key by its name, or whoever is signed in',
  response: Type.Object(
    {
      _id: Type.String(),
      firstName: Type.String(),
      type: oneOf(actorTypes),
    },
    { title: 'WhoActs' },
  ),
  handler: async ({ env: { actor, keyId } }) => ({
    _id: actor?.id ?? keyId,
    firstName: actor?.name ?? '',
    type: actor?.type ?? ('service' as const),
  }),
})
