import type { News } from '../../store/history/attempts.ts'
import type { Next } from './decide-next.ts'

/**
 * How a message ends that would be tried again, or is in doubt, when its vendor has reported on it or its event was
 * canceled meanwhile. Null: nothing of that.
 */
export function settle(
  next: Next,
  { feedback, canceled }: News,
  copies: number,
): { next: Next; text: string | null } | null {
  const over = { retryAtMs: null, status: 'warning' } as const
  switch (feedback) {
    case 'delivered':
      // One report tells of one copy.
      return copies > 1
        ? { next: { ...over, delivery: 'sent', errorId: 'delivery_unknown' }, text: 'Delivered, and perhaps twice' }
        : { next: { ...over, delivery: 'sent', status: 'sent', errorId: null }, text: null }
    // Their words are in the message already.
    case 'complained':
      return { next: { ...over, delivery: 'sent', errorId: 'complained' }, text: null }
    case 'bounced':
      return { next: { ...over, delivery: 'rejected', status: 'error', errorId: 'bounced' }, text: null }
  }
  if (!canceled || next.delivery === 'unknown') return null
  return next.errorId === 'delivery_unknown'
    ? {
        next: { ...over, delivery: 'unknown', errorId: 'delivery_unknown' },
        text: 'Canceled; it may have been sent before',
      }
    : { next: { ...over, delivery: 'canceled', errorId: 'canceled' }, text: 'Canceled before it was sent' }
}
