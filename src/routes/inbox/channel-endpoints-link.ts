import { Type } from 'typebox'
import { contextInput } from '../../core/channels/endpoint-input.ts'
import { expectPerson, makeLink } from '../../core/channels/link-people.ts'
import { chooseContexts, refuseOthersName, refuseUnvouched } from '../../core/channels/own-channels.ts'
import { getIntegrationByIdentifier } from '../../core/integrations/save-integration.ts'
import { defineInboxRoute } from '../../http/inbox/define-inbox-route.ts'
import { subscriberIdInput } from '../../lib/inputs.ts'
import { fields } from '../../lib/schemas.ts'

export default defineInboxRoute({
  method: 'POST',
  path: '/v1/inbox/channel-endpoints/link',
  summary: 'The address that the person opens to be known to a bot (Telegram)',
  body: fields({
    integrationIdentifier: Type.String(),
    subscriberId: Type.Optional(subscriberIdInput),
    context: contextInput,
    contextHash: Type.Optional(Type.String({ maxLength: 200 })),
  }),
  response: Type.Object({ data: Type.Object({ url: Type.String() }) }),
  async beforeTransaction({ ctx, env, body, person, findVouchers }) {
    refuseOthersName(person, body.subscriberId)
    const contexts = await chooseContexts({ ctx, env, findVouchers }, person, body)
    const integration = await ctx.database.read(env, (db) =>
      getIntegrationByIdentifier(db, env, body.integrationIdentifier),
    )
    refuseUnvouched(ctx, integration, person)
    return { ...(await makeLink(ctx, env, integration)), contextKeys: contexts.keys }
  },
  async handler({ ctx, db, env, now, body, person, prepared }) {
    const { url, code, contextKeys } = prepared
    const integration = await getIntegrationByIdentifier(db, env, body.integrationIdentifier)
    const wanted = { subscriberId: person.subscriber.subscriber_id, contextKeys }
    await expectPerson({ ctx, db, env, now }, integration, code, wanted)
    return { data: { url } }
  },
})
