import { Type } from 'typebox'
import { listenToBot } from '../../core/channels/link-people.ts'
import { getIntegrationByIdentifier } from '../../core/integrations/save-integration.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'POST',
  path: '/v1/integrations/{integrationIdentifier}/webhook/configure',
  summary: 'Tell the vendor of a bot where to call (Telegram)',
  response: Type.Object({
    webhookUrl: Type.String(),
    configuredAt: Type.String({ format: 'date-time' }),
    botUsername: Type.String(),
  }),
  beforeTransaction: {
    async call({ ctx, env, params }) {
      const { integrationIdentifier } = params
      const integration = await ctx.database.read(env, (db) =>
        getIntegrationByIdentifier(db, env, integrationIdentifier),
      )
      return listenToBot(ctx, env, integration)
    },
  },
  async handler({ now, prepared }) {
    if (!prepared) throw new Error('the vendor is told before')
    return { webhookUrl: prepared.url, configuredAt: now.toISOString(), botUsername: prepared.name }
  },
})
