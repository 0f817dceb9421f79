import { admin } from '../test/find-postgres.ts'
import type { Scripted } from '../test/peers/http-receiver.ts'
import type { Server } from './server.ts'

/** What the servers behind the endpoints answer; undefined: the path is of none of them. */
export function answerToHook(url: string): Scripted | undefined {
  if (url === '/hooks/orders') return { status: 204 }
  if (url === '/hooks/warehouse') return { status: 503, body: 'The warehouse is closed for the night.' }
  return undefined
}

/** One that takes everything, one that takes nothing, and one that was disabled for it. Gives the id of the first. */
export async function addHooks({ api, databaseUrl }: Server, vendorUrl: string): Promise<string> {
  const add = async (path: string, description: string, eventTypes: string[] | null): Promise<string> =>
    (await api('POST', '/v1/webhook-endpoints', { url: vendorUrl + path, description, eventTypes }))._id
  const crm = await add('/hooks/crm', 'Old CRM', ['subscriber.created', 'subscriber.updated', 'subscriber.deleted'])
  const warehouse = await add('/hooks/warehouse', 'Data warehouse', ['workflow.updated', 'preference.updated'])
  const orders = await add('/hooks/orders', 'Order desk', ['message.sent', 'message.failed', 'notification.completed'])
  await api('POST', `/v1/webhook-endpoints/${warehouse}/test`)
  await admin(databaseUrl, (client) =>
    client.query(
      `update webhook_endpoint set state = 'disabled', failing_since = now() - interval '6 days',
        disabled_reason = 'Nothing could be delivered since ' ||
          to_char((now() - interval '6 days') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '.'
      where id = $1`,
      [crm],
    ),
  )
  return orders
}
