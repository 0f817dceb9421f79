import { finishConnect } from '../../core/channels/finish-connect.ts'
import { connectPage } from '../../core/pages/connect-page.ts'
import { defineOpenRoute, PageReply } from '../../http/define-route.ts'

export default defineOpenRoute({
  method: 'GET',
  path: '/v1/integrations/chat/oauth/callback',
  summary: 'Where vendors send people back who agreed to install an app or to be linked',
  auth: 'link',
  async handler({ ctx, now, request }) {
    const connected = await finishConnect(ctx, request.url, now)
    if ('next' in connected) return new PageReply(303, '', connected.next)
    const { ok, redirectUrl } = connected
    const page = connectPage(connected)
    if (redirectUrl === null) return new PageReply(200, page)
    const next = new URL(redirectUrl)
    next.searchParams.set('connected', String(ok))
    return new PageReply(303, page, next.href)
  },
})
