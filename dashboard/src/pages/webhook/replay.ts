import { api } from '../../api/client.ts'
import type { WebhookDelivery } from '../../api/types.ts'

/** `failed`: what was given up. `all`: also what arrived. What is open is on its way anyway. */
export type Which = 'failed' | 'all'
export type Span = { since: string; until: string; which: Which }
export type Count = { n: number; capped: boolean }

const ended: Record<Which, WebhookDelivery['status'][]> = { failed: ['failed'], all: ['failed', 'delivered'] }

/** How many of them would be sent again now. */
export async function countReplay(
  endpointId: string,
  { since, until, which }: Span,
  signal: AbortSignal,
): Promise<Count> {
  const counts = ended[which].map(async (status) => {
    const query = { status, since, until, limit: 1 }
    return api.get('/v1/webhook-endpoints/{endpointId}/deliveries', { path: { endpointId }, query, signal })
  })
  const pages = await Promise.all(counts)
  return {
    n: pages.reduce((sum, { totalCount }) => sum + totalCount, 0),
    capped: pages.some(({ totalCountCapped }) => totalCountCapped),
  }
}

type Part = { replayed: number; next: string | null }
type Send = (after: string | undefined) => Promise<Part>

export const sendSpan =
  (endpointId: string, { since, until, which }: Span): Send =>
  (after) =>
    api.post('/v1/webhook-endpoints/{endpointId}/replay', {
      path: { endpointId },
      body: { since, until, status: which, after },
    })

/** The server takes so many at once and says where to go on. Tells how far it is after each part. */
export async function replayAll(send: Send, onDone: (done: number) => void): Promise<number> {
  let done = 0
  let after: string | undefined
  do {
    const { replayed, next } = await send(after)
    done += replayed
    after = next ?? undefined
    onDone(done)
  } while (after !== undefined)
  return done
}

export const eventsWords = ({ n, capped }: Count) =>
  `${n.toLocaleString('en')}${capped ? '+' : ''} ${n === 1 && !capped ? 'event' : 'events'}`
