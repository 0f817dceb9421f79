import { Type } from 'typebox'
import { contextInput, readContextKeys } from '../../core/channels/endpoint-input.ts'
import { expectPerson, makeLink } from '../../core/channels/link-people.ts'
import { getIntegrationByIdentifier } from '../../core/integrations/save-integration.ts'
import { defineRoute } from '../../http/define-route.ts'
import { subscriberIdInput } from '../../lib/inputs.ts'
import { fields } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'POST',
  path: '/v1/integrations/channel-endpoints/link',
  summary: 'The address that a subscriber opens to be known to a bot (Telegram)',
  body: fields({
    integrationIdentifier: Type.String(),
    subscriberId: subscriberIdInput,
    context: contextInput,
    contextHash: Type.Optional(Type.String({ description: 'Not needed with an API key.' })),
  }),
  response: Type.Object({ url: Type.String() }),
  beforeTransaction: {
    async call({ ctx, env, body }) {
      const find = () => ctx.database.read(env, (db) => getIntegrationByIdentifier(db, env, body.integrationIdentifier))
      return makeLink(ctx, env, await find())
    },
  },
  async handler({ ctx, db, env, now, body, prepared }) {
    if (!prepared) throw new Error('the link is made before')
    const integration = await getIntegrationByIdentifier(db, env, body.integrationIdentifier)
    const wanted = { subscriberId: body.subscriberId.trim(), contextKeys: readContextKeys(body.context) }
    await expectPerson({ ctx, db, env, now }, integration, prepared.code, wanted)
    return { url: prepared.url }
  },
})
