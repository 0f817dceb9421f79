import { type Static, Type } from 'typebox'
import type { Ctx } from '../../context.ts'
import type { OpenedSession } from '../inbox/open-session.ts'
import { scheduleSchema } from '../subscribers/schedule.ts'

const count = Type.Integer()

export const inboxSessionSchema = Type.Object(
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
)

export function toInboxSessionJson(
  ctx: Ctx,
  { token, unread, identifier, contextKeys, schedule }: OpenedSession,
): Static<typeof inboxSessionSchema> {
  const total = Object.values(unread).reduce((sum, n) => sum + n, 0)
  return {
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
}
