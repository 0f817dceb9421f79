import { Type } from 'typebox'
import { openInboxSession, sessionInput } from '../../core/inbox/open-session.ts'
import { inboxSessionSchema, toInboxSessionJson } from '../../core/replies/inbox-session-json.ts'
import { defineInboxSession } from '../../http/inbox/define-inbox-route.ts'

export default defineInboxSession({
  path: '/v1/inbox/session',
  summary: "Open a person's inbox for a browser: a token for the other inbox routes, for fifteen days",
  body: sessionInput,
  response: Type.Object({ data: inboxSessionSchema }),
  async handler({ ctx, now, body, findVouchers }) {
    const opened = await openInboxSession(ctx, findVouchers, body, now)
    return { env: opened.env, reply: { data: toInboxSessionJson(ctx, opened) } }
  },
})
