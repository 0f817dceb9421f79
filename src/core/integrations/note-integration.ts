import type { Db } from '../../store/database.ts'
import type { IntegrationRow } from '../../store/integrations.ts'
import { noteChange } from '../record/note-change.ts'

/** For the record of changes: which credentials were given or taken away, never what they are. */
export function noteIntegration(db: Db, before: IntegrationRow | undefined, after: IntegrationRow | undefined): void {
  const row = after ?? before
  if (!row) return
  noteChange(
    db,
    { type: 'integration', id: row.id, name: row.identifier },
    { before: before && shown(before, null), after: after && shown(after, before ?? null) },
  )
}

function shown(row: IntegrationRow, before: IntegrationRow | null) {
  const { name, identifier, provider_id: providerId, channel, active, is_primary: primary, conditions } = row
  const sealed = (column: 'credentials' | 'configurations') => {
    const former = before?.[column] as Record<string, unknown> | undefined
    const entries = Object.entries(row[column] as Record<string, unknown>)
    return Object.fromEntries(
      entries.map(([field, value]) => [
        field,
        former?.[field] !== undefined && former[field] !== value ? 'another' : 'set',
      ]),
    )
  }
  const more = { credentials: sealed('credentials'), configurations: sealed('configurations') }
  return { name, identifier, providerId, channel, active, primary, conditions, ...more }
}
