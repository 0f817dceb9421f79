import { cutText } from '../../lib/one-line.ts'
import type { Db } from '../../store/database.ts'
import { noteChange } from '../record/note-change.ts'

/** The record of changes outlives people, so it has only the beginning of their address, and where they get their mail. */
export function noteSuppression(
  db: Db,
  { channel, address }: { channel: string; address: string },
  side: 'before' | 'after',
): void {
  const [, domain = ''] = address.split('@')
  const masked = `${cutText(address.trim(), 2)}…${domain && `@${domain}`}`
  noteChange(db, { type: 'suppression', id: `${channel}/${masked}` }, { [side]: { channel } })
}
