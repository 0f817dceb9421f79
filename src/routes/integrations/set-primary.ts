import { noteIntegration } from '../../core/integrations/note-integration.ts'
import { getIntegration } from '../../core/integrations/save-integration.ts'
import { integrationSchema, toIntegrationJson } from '../../core/replies/integration-json.ts'
import { ApiError } from '../../errors.ts'
import { defineRoute } from '../../http/define-route.ts'
import { clearPrimary, lockIntegrations, updateIntegration } from '../../store/integrations.ts'

export default defineRoute({
  method: 'POST',
  path: '/v1/integrations/{integrationId}/set-primary',
  summary: 'Make an active e-mail or SMS integration the default of its channel',
  response: integrationSchema,
  async handler({ ctx, db, env, params }) {
    await lockIntegrations(db, env)
    const stored = await getIntegration(db, env, params.integrationId)
    if (stored.channel !== 'email' && stored.channel !== 'sms') throw new ApiError('channel_without_primary')
    if (!stored.active) throw new ApiError('integration_not_active')
    await clearPrimary(db, env, stored.channel)
    const row = await updateIntegration(db, env, stored.id, { is_primary: true })
    noteIntegration(db, stored, row)
    return toIntegrationJson(ctx, env, row)
  },
})
