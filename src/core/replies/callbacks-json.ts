import { type Static, Type } from 'typebox'
import type { Ctx } from '../../context.ts'
import { nullable } from '../../lib/schemas.ts'
import type { Db, Env } from '../../store/database.ts'
import { findArrival, listNotificationIds, type ToldEvent } from '../../store/feedback/callback-arrivals.ts'
import type { IntegrationRow } from '../../store/integrations.ts'
import { shownCallbackUrl, signingKeyOf } from '../feedback/callback-url.ts'

const moment = nullable(Type.String({ format: 'date-time' }))

export const callbacksSchema = Type.Object(
  {
    enabled: Type.Boolean({ description: 'Calls of the vendor are taken.' }),
    url: nullable(
      Type.String({
        description:
          'Where the vendor calls; null without PUBLIC_URL. `?key=…` stands for the signing key, which is not shown.',
      }),
    ),
    lastAt: moment,
    last: Type.Array(
      Type.Object({
        kind: Type.String({ description: 'As the lines of a message: delivered, bounced, …; or `confirmed`.' }),
        name: Type.Optional(Type.String({ description: "The vendor's own word." })),
        messageId: nullable(Type.String({ description: 'Null: it tells of no message that is known here.' })),
        notificationId: nullable(Type.String()),
      }),
      { description: 'The events of the last call that was believed, the first 20.' },
    ),
    refusedAt: moment,
    refused: nullable(Type.String({ description: 'Why the last call was refused that was not believed.' })),
  },
  { title: 'Callbacks' },
)
type CallbacksJson = Static<typeof callbacksSchema>

export async function toCallbacksJson(ctx: Ctx, db: Db, env: Env, row: IntegrationRow): Promise<CallbacksJson> {
  const inbound = ctx.providers.find(row.provider_id)?.inbound
  const arrival = await findArrival(db, env, row.id)
  return {
    enabled: inbound !== undefined && signingKeyOf(ctx, row) !== null,
    url: inbound ? await shownCallbackUrl(ctx, row, inbound) : null,
    lastAt: arrival?.told_at?.toISOString() ?? null,
    last: await withNotifications(db, env, arrival?.told ?? []),
    refusedAt: arrival?.refused_at?.toISOString() ?? null,
    refused: arrival?.refused ?? null,
  }
}

async function withNotifications(db: Db, env: Env, told: readonly ToldEvent[]) {
  const ids = told.flatMap(({ messageId }) => messageId ?? [])
  const notifications = ids.length > 0 ? await listNotificationIds(db, env, ids) : new Map<string, string>()
  return told.map((event) => ({ ...event, notificationId: notifications.get(event.messageId ?? '') ?? null }))
}
