import { sql } from 'kysely'
import type { StateName } from '../../errors.ts'
import { DatabaseAway } from '../connect/database-away.ts'
import { type Db, inTransaction, lockNotAvailable, sqlState } from '../database.ts'

export type EnvironmentState = {
  state: StateName
  /** Where it lives: of a departed one, and of an arriving one until it is active here. */
  cell: string | null
  /** Grows by one with each move: of two that name a cell, the higher one is right. */
  generation: number
  /** The end of the lease of a draining or frozen one. */
  until: Date | null
}

export type Hold = {
  /** Everything that was written for the environment before lies below this place of the write-ahead log. */
  lsn: string
  until: Date
  generation: number
}

export type ArrivingEnvironment = {
  id: string
  organizationId: string
  organizationName: string
  name: string
  identifier: string
  /** Sealed. */
  signingSecret: string | null
  /** How the team sees it (migration 0042); where it comes without, as a new one. */
  looks?: EnvironmentLooks | undefined
  /** Where it lives until it is active here, and its generation there. */
  sourceCell: string
  generation: number
  /** The first cell it lived in; without it, the one it comes from. */
  homeCell?: string | null
}

export type EnvironmentLooks = {
  slug: string
  color: string
  type: string
  parentId: string | null
  protected: boolean
}

/** The first cell it lived in; null: this one. */
export async function findHomeCell(db: Db, environmentId: string): Promise<string | null> {
  const row = await db.selectFrom('environment').select('home_cell').where('id', '=', environmentId).executeTakeFirst()
  return row?.home_cell ?? null
}

/** Null: this cell never had it. */
export async function stateOf(db: Db, environmentId: string): Promise<EnvironmentState | null> {
  const { rows } = await sql<EnvironmentState>`
    select effective_state(state, frozen_until) as state, coalesce(cell, source_cell) as cell, generation,
      case when effective_state(state, frozen_until) in ('draining', 'frozen') then frozen_until end as until
    from environment where id = ${environmentId}`.execute(db)
  return rows[0] ?? null
}

/** From now on tasks begin nothing new. Repeated, it renews the lease. Null: it is not here, or writers do not end. */
export function startDraining(db: Db, environmentId: string, leaseMs: number): Promise<Hold | null> {
  return hold(db, environmentId, 'draining', leaseMs)
}

/** Waits for the writers in flight; from then on nothing is written. Null: it is not here, or writers do not end. */
export function freeze(db: Db, environmentId: string, leaseMs: number): Promise<Hold | null> {
  return hold(db, environmentId, 'frozen', leaseMs)
}

async function hold(db: Db, environmentId: string, state: StateName, leaseMs: number): Promise<Hold | null> {
  return orNullWhenBusy(async () => {
    const { rows } = await sql<Hold>`
      select lsn::text, until, generation
      from hold_environment(${environmentId}, ${state}, ${leaseMs} * interval '1 ms')`.execute(db)
    return rows[0] ?? null
  })
}

/** Ends a lease early. False: there was none, or writers do not end (then the lease will). */
export async function thaw(db: Db, environmentId: string): Promise<boolean> {
  return (await changed(db, sql`thaw_environment(${environmentId})`)) ?? false
}

/**
 * Whether this very freeze holds; until the transaction ends nobody changes that. A mover that slept may find that of
 * another one, made after writers were let in again.
 */
export async function isFrozenUntil(trx: Db, environmentId: string, { until }: Pick<Hold, 'until'>): Promise<boolean> {
  await lockAlone(trx, environmentId)
  const { rows } = await sql`
    select 1 from environment where id = ${environmentId} and state = 'frozen' and frozen_until = ${until}`.execute(trx)
  return rows.length > 0
}

/**
 * The commit point of a move. False: the freeze has run out, so nothing has happened. It waits until the freeze is half
 * a second old, because nodes remember a state for half of that. Throws 55P03 when writers do not end.
 */
export async function depart(db: Db, environmentId: string, toCell: string): Promise<boolean> {
  const { rows } = await sql<{ done: boolean }>`
    select depart_environment(${environmentId}, ${toCell}) as done`.execute(db)
  return rows[0]?.done ?? false
}

/**
 * `generation`: one more than where it came from. True also when it was active already. Throws `DatabaseAway` when somebody
 * does not let go of its lock: that is no answer.
 */
export async function activate(db: Db, environmentId: string, generation: number): Promise<boolean> {
  const done = await changed(db, sql`activate_environment(${environmentId}, ${generation})`)
  if (done === null) throw new DatabaseAway('the lock of the environment was not given within two seconds')
  return done
}

/**
 * Makes its row, or takes the one of an environment that departed from here. Rows that it left behind must be gone.
 * False: it is active here.
 */
export function setArriving(db: Db, it: ArrivingEnvironment): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    await lockAlone(trx, it.id)
    await sql`insert into organization (id, name) values (${it.organizationId}, ${it.organizationName})
      on conflict do nothing`.execute(trx)
    const { rows } = await sql`
      insert into environment as e (id, organization_id, name, identifier, signing_secret, state, state_since, source_cell, generation, home_cell)
      values (${it.id}, ${it.organizationId}, ${it.name}, ${it.identifier}, ${it.signingSecret}, 'arriving',
        clock_timestamp(), ${it.sourceCell}, ${it.generation}, ${it.homeCell ?? it.sourceCell})
      on conflict (id) do update set name = excluded.name, signing_secret = excluded.signing_secret, state = 'arriving',
        state_since = excluded.state_since, source_cell = excluded.source_cell, generation = excluded.generation,
        cell = null, frozen_until = null, home_cell = excluded.home_cell
      where e.state in ('arriving', 'departed') and e.generation <= excluded.generation
      returning 1`.execute(trx)
    if (it.looks && rows.length > 0) await setLooks(trx, it.id, it.looks)
    return rows.length > 0
  })
}

/** Its slug is another's here: it gets one that nobody has. */
async function setLooks(trx: Db, environmentId: string, looks: EnvironmentLooks): Promise<void> {
  await sql`
    update environment e set color = ${looks.color}, type = ${looks.type}, parent_id = ${looks.parentId},
      protected = ${looks.protected}, slug = case when exists (select 1 from environment o
        where o.organization_id = e.organization_id and o.slug = ${looks.slug} and o.id <> e.id)
      then ${looks.slug} || '-' || right(e.id::text, 12) else ${looks.slug} end
    where e.id = ${environmentId} and e.state = 'arriving'`.execute(trx)
}

/** Whether it may be written here, until the transaction ends. For what is no request of it. */
export async function isOpen(trx: Db, environmentId: string): Promise<boolean> {
  await sql`select pg_advisory_xact_lock_shared(environment_lock(${environmentId}))`.execute(trx)
  const { state } = (await stateOf(trx, environmentId)) ?? {}
  return state === 'active' || state === 'draining'
}

/** The move was given up: requests that come here by mistake are sent to where it lives. */
export function abandonArrival(db: Db, environmentId: string): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    await lockAlone(trx, environmentId)
    const { rows } = await sql`
      update environment set state = 'departed', state_since = clock_timestamp(), cell = source_cell, source_cell = null
      where id = ${environmentId} and state = 'arriving' returning 1`.execute(trx)
    return rows.length > 0
  })
}

/** Whoever falls asleep with the lock loses it soon, and the transaction with it: all writers wait for it. */
async function lockAlone(trx: Db, environmentId: string): Promise<void> {
  await sql`
    select set_config('lock_timeout', '2s', true), set_config('idle_in_transaction_session_timeout', '3s', true)`.execute(
    trx,
  )
  await sql`select pg_advisory_xact_lock(environment_lock(${environmentId}))`.execute(trx)
}

async function changed(db: Db, call: ReturnType<typeof sql>): Promise<boolean | null> {
  return orNullWhenBusy(async () => {
    const { rows } = await sql<{ done: boolean }>`select ${call} as done`.execute(db)
    return rows[0]?.done ?? null
  })
}

/** A writer that does not end within two seconds: whoever asked tries again later. */
async function orNullWhenBusy<T>(change: () => Promise<T>): Promise<T | null> {
  try {
    return await change()
  } catch (error) {
    if (sqlState(error) === lockNotAvailable) return null
    throw error
  }
}

/**
 * Tries whose answer is awaited: a worker will record it. Those whose time is over are in doubt wherever they are looked
 * at next, and count no more. While frozen, none can begin: whoever finds none then has none.
 */
export async function countOpenTries(db: Db, environmentId: string): Promise<number> {
  // No try is looked at later than this (see `wakeAt` of an intent); the bound keeps distant timers out of the look.
  const { rows } = await sql<{ open: number }>`
    select count(*)::int as open from message
    where environment_id = ${environmentId} and in_flight
      and retry_at > clock_timestamp() and retry_at < clock_timestamp() + interval '10 minutes'`.execute(db)
  return rows[0]?.open ?? 0
}
