import { sql } from 'kysely'
import type { Db } from '../database.ts'

// A person mistypes a few times. After that each failure doubles the pause, up to five minutes, and a quarter of an hour
// without any ends it: whoever guesses gets nowhere, and whom it belongs to is not kept out for long.
const freeFailures = 5
const longestSeconds = 300
const forgottenMinutes = 15

/**
 * Counts one attempt before it is judged, so that a hundred at once do not count as one. Answers when the next one is
 * heard, if this one is not.
 */
export async function takeAttempt(db: Db, accountHash: Buffer, now: Date): Promise<Date | null> {
  const count = sql`case when f.last_at < ${now}::timestamptz - make_interval(mins => ${forgottenMinutes}) then 1
    else f.failures + 1 end`
  const { rows } = await sql<{ blockedUntil: Date | null }>`
    with taken as (
      insert into sign_in_failure as f (account_hash, failures, last_at, blocked_until)
      values (${accountHash}, 1, ${now}, ${now})
      on conflict (account_hash) do update set failures = ${count}, last_at = ${now},
        blocked_until = ${now}::timestamptz + make_interval(secs => case when ${count} <= ${freeFailures} then 0
          else least(${longestSeconds}, 2 ^ least(20, ${count} - ${freeFailures})) end)
      where f.blocked_until <= ${now}
      returning account_hash),
    purged as (
      delete from sign_in_failure where account_hash in (
        select account_hash from sign_in_failure
        where last_at < ${now}::timestamptz - interval '1 day' and account_hash <> ${accountHash} limit 10))
    select case when exists (select 1 from taken) then null else coalesce((
      select blocked_until from sign_in_failure where account_hash = ${accountHash}), ${now}::timestamptz) end
      as "blockedUntil"`.execute(db)
  return rows[0]?.blockedUntil ?? null
}

/** Takes back an attempt that could not be checked, with its own pause. A pause that a later attempt has caused stays. */
export async function returnAttempt(db: Db, accountHash: Buffer, takenAt: Date): Promise<void> {
  await sql`
    update sign_in_failure set failures = failures - 1,
      blocked_until = case when last_at = ${takenAt} then last_at else blocked_until end
    where account_hash = ${accountHash} and failures > 0`.execute(db)
}

/** Whoever proved to be the one starts anew. */
export async function forgetFailures(db: Db, accountHash: Buffer): Promise<void> {
  await sql`delete from sign_in_failure where account_hash = ${accountHash}`.execute(db)
}
