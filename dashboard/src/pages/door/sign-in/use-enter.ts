import { useSearch } from '@tanstack/react-router'
import type { Session } from '../../../api/types.ts'
import { addressOf } from '../../../lib/address.ts'

/** Only our own paths: an address from outside must not send people elsewhere after signing in. */
export const safeNext = (next: string | undefined) => (next && /^\/(?![/\\])/.test(next) ? next : '/')

/** A full load: nothing of who was signed in before stays in memory, and the address decides where one is. */
export function useEnter(): (session: Session) => void {
  const { next } = useSearch({ strict: false }) as { next?: string }
  return ({ environment }) => location.replace(addressOf(environment.slug, safeNext(next)))
}
