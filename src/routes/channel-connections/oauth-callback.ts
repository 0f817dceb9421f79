import { finishConnect } from '../../core/channels/connect.ts'
import { connectPage } from '../../core/replies/connect-page.ts'
import { defineOpenRoute, PageReply } from '../../http/define-route.ts'

export default defineOpenRoute({
  method: 'GET',
  path: '/v1/integrations/chat/oauth/callback',
  summary: 'Where vendors send people back who agreed to install an app or to be linked',
  auth: 'link',
  async handler({ ctx, now, request }) {
    const connected = await finishConnect(ctx, request.url, now)
    const { ok, unknown, redirectUrl } = connected
    const page = connectPage(connected)
    if (redirectUrl === null) return new PageReply(unknown ? 404 : 200, page)
    const next = new URL(redirectUrl)
    next.searchParams.set('connected', String(ok))
    return new PageReply(303, page, next.href)
  },
})
