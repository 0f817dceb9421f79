import { isPlainObject } from '../../lib/canonical-json.ts'
import type { Db, Env } from '../../store/database.ts'
import { findContexts, findOrMakeContexts, type GivenContext } from '../../store/values/contexts.ts'

type Context = Record<string, unknown>
/** Of an event: as it was given, `{ type: id }` or `{ type: { id, data } }`. */
type Named = { context: unknown }

/**
 * The contexts that events name are made or changed where they are not as given; nothing is asked of the database for
 * events without one. Of a context that several give data for, the last has it.
 */
export async function keepContexts(db: Db, env: Env, named: readonly Named[], now: Date): Promise<StoredContexts> {
  const entries = new Map<string, GivenContext>()
  for (const entry of named.flatMap(({ context }) => entriesOf(context))) {
    const before = entries.get(keyOf(entry))
    entries.set(keyOf(entry), { ...entry, data: entry.data ?? before?.data ?? null })
  }
  return entries.size === 0 ? none : toStored(await findOrMakeContexts(db, env, [...entries.values()], now))
}

/** As they are stored, for those that are named without data. */
export async function loadContexts(db: Db, env: Env, named: readonly Named[]): Promise<StoredContexts> {
  const entries = named.flatMap(({ context }) => entriesOf(context)).filter(({ data }) => data === null)
  const wanted = new Map(entries.map((entry) => [keyOf(entry), entry]))
  return wanted.size === 0 ? none : toStored(await findContexts(db, env, [...wanted.values()]))
}

/** Events as templates are to see them: each context that is named without data has what is stored. */
export async function withContexts<T extends Named>(db: Db, env: Env, events: T[]): Promise<T[]> {
  const stored = await loadContexts(db, env, events)
  return stored === none ? events : events.map((event) => ({ ...event, context: stored.fill(event.context) }))
}

export type StoredContexts = {
  /** The context of an event with the data that is stored, where it was given none. */
  fill<T>(context: T): T | Context
}

const none: StoredContexts = { fill: (context) => context }

function toStored(rows: readonly GivenContext[]): StoredContexts {
  const byKey = new Map(rows.map((row) => [keyOf(row), row]))
  return {
    fill(context) {
      const entries = entriesOf(context)
      if (entries.length === 0) return context
      return Object.fromEntries(
        entries.map((entry) => {
          const data = entry.data ?? byKey.get(keyOf(entry))?.data ?? null
          return [entry.type, { id: entry.id, ...(data && { data }) }]
        }),
      )
    },
  }
}

/** Only what each is called. */
export function withoutData(context: Context): Context {
  return Object.fromEntries(entriesOf(context).map(({ type, id }) => [type, id]))
}

function entriesOf(context: unknown): GivenContext[] {
  if (!isPlainObject(context)) return []
  return Object.entries(context).flatMap(([type, value]) => {
    const { id, data } = isPlainObject(value) ? value : { id: value, data: null }
    return typeof id === 'string' ? { type, id, data: isPlainObject(data) ? data : null } : []
  })
}

function keyOf({ type, id }: { type: string; id: string }): string {
  return `${type}:${id}`
}
