import { unsubscribePage } from '../../core/pages/unsubscribe-page.ts'
import { unsubscribeFromWorkflow } from '../../core/subscribers/preferences.ts'
import { readUnsubscribe } from '../../core/subscribers/unsubscribe.ts'
import { ApiError } from '../../errors.ts'
import { defineOpenRoute } from '../../http/define-route.ts'
import { envOf } from '../../store/database.ts'

export default defineOpenRoute({
  method: 'POST',
  path: '/v1/unsubscribe/{token}',
  summary: 'Unsubscribe with one click (RFC 8058): from the mail client itself, or from the page',
  auth: 'link',
  async handler({ ctx, now, params }) {
    const link = readUnsubscribe(ctx, params.token)
    if (!link) throw new ApiError('link_not_found')
    const env = envOf(link.environmentId)
    const { subscriberId, workflowId } = link
    const choice = { subscriberId, workflowId, channel: 'email' as const }
    await ctx.database.write(env, (db) => unsubscribeFromWorkflow(db, env, choice, now))
    return unsubscribePage('done')
  },
})
