import { Type } from 'typebox'
import { openInboxSession, sessionInput } from '../../core/inbox/open-session.ts'
import { scheduleSchema } from '../../core/subscribers/schedule.ts'
import { defineInboxSession } from '../../http/inbox/define-inbox-route.ts'

const count = Type.Integer()

export default defineInboxSession({
  path: '/v1/inbox/session',
  summary: "Open a person's inbox for a browser: a token for the other inbox routes, for fifteen days",
  body: sessionInput,
  response: Type.Object({
    data: Type.Object(
      {
        token: Type.String(),
        totalUnreadCount: count,
        unreadCount: Type.Object({
          total: count,
          severity: Type.Object({ high: count, medium: count, low: count, none: count }),
        }),
        removeNovuBranding: Type.Boolean(),
        isDevelopmentMode: Type.Boolean(),
        maxSnoozeDurationHours: Type.Integer({
          description: 'A snooze must end before the notification is forgotten.',
        }),
        applicationIdentifier: Type.String(),
        contextKeys: Type.Array(Type.String()),
        schedule: Type.Optional(scheduleSchema),
      },
      { title: 'InboxSession' },
    ),
  }),
  async handler({ ctx, now, body, findVouchers }) {
    const { env, token, unread, identifier, contextKeys, schedule } = await openInboxSession(
      ctx,
      findVouchers,
      body,
      now,
    )
    const total = Object.values(unread).reduce((sum, n) => sum + n, 0)
    const data = {
      token,
      totalUnreadCount: total,
      unreadCount: { total, severity: unread },
      removeNovuBranding: true,
      isDevelopmentMode: !ctx.config.production,
      maxSnoozeDurationHours: ctx.config.retentionDays * 24,
      applicationIdentifier: identifier,
      contextKeys: [...contextKeys],
      ...(schedule && { schedule }),
    }
    return { env, reply: { data } }
  },
})
