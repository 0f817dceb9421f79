import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { DatabaseAway } from './database-away.ts'

export type Place = { host: string; port: number }

export type Seeker = {
  /** The host that takes writes now. */
  find(): Promise<Place>
  forget(): void
}

// A host that is cut off says nothing.
const answerWithinMs = 2_000
// After a failover the old primary may not know yet that it is none any more. Whoever answers late is not waited for.
const graceMs = 300
// Connections live for minutes: one that is made later looks again.
const rememberMs = 5_000

export function createSeeker(connectionString: string, places: readonly Place[]): Seeker {
  let known: { place: Place; at: number } | undefined
  let seeking: Promise<Place> | undefined

  async function seek(): Promise<Place> {
    const place = await newest(places.map((it) => ask(connectionString, it)))
    known = { place, at: performance.now() }
    return place
  }

  return {
    async find() {
      if (known && performance.now() - known.at < rememberMs) return known.place
      seeking ??= seek().finally(() => {
        seeking = undefined
      })
      return seeking
    },
    forget() {
      known = undefined
    },
  }
}

type Primary = { place: Place; timeline: number }

/** Of several that call themselves primary, the one that was promoted last. */
async function newest(answers: readonly Promise<Primary>[]): Promise<Place> {
  const found: Primary[] = []
  for (const answer of answers) answer.then((it) => found.push(it)).catch(() => {})
  await Promise.any(answers).catch((error: AggregateError) => {
    // A wrong password or a missing database says more than a host that is away.
    throw error.errors.find((it) => it instanceof pg.DatabaseError) ?? error.errors[0]
  })
  await Promise.race([Promise.allSettled(answers), sleep(graceMs)])
  const [last] = found.toSorted((a, b) => b.timeline - a.timeline)
  if (!last) throw new Error('a primary was found and is not there')
  return last.place
}

/** Its timeline grows with every promotion. */
async function ask(connectionString: string, place: Place): Promise<Primary> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: answerWithinMs,
    query_timeout: answerWithinMs,
    application_name: 'tidings seeks the primary',
  })
  Object.assign(client, place)
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ timeline: string | null }>(
      `select case when not pg_is_in_recovery() then substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) end as timeline`,
    )
    const timeline = rows[0]?.timeline
    if (!timeline) throw new DatabaseAway(`${place.host}:${place.port} is a standby, and no other host is the primary`)
    return { place, timeline: Number.parseInt(timeline, 16) }
  } finally {
    // Nobody waits for a goodbye: the host may be gone.
    client.end().catch(() => {})
  }
}
