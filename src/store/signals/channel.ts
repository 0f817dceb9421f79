import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { newClient, targetOf } from '../connect/hosts.ts'
import type { Db } from '../database.ts'

// A transaction that notifies holds a lock of the whole cluster from before its commit until after it, with the disk's
// and the standby's answer in between. So nobody notifies in a transaction of ours: it is done here, after the commit,
// on a connection that waits for neither.

// Said in the transaction itself: a pooler takes no start-up parameters.
const notify = `with soon as materialized (select set_config('synchronous_commit', 'off', true))
  select pg_notify($1, payload) from soon, unnest($2::text[]) as payload`

/** A pool of one: signals never wait behind requests, nor requests behind signals. */
export function openSignalPool(url: string, name: string): pg.Pool {
  const pool = new pg.Pool({
    ...targetOf(url),
    max: 1,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    query_timeout: 5_000,
    application_name: name,
  })
  // It is opened anew with the next signal.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Tells every process that listens. Nothing is kept: whoever does not hear it finds it in the rows. */
export async function sendSignals(pool: pg.Pool, channel: string, payloads: readonly string[]): Promise<void> {
  await pool.query(notify, [channel, payloads])
}

/** The same for a command, which has no pool for signals; never in a transaction. */
export async function sendSignalsOnce(db: Db, channel: string, payloads: readonly string[]): Promise<void> {
  await sql`select pg_notify(${channel}, payload) from unnest(${payloads}::text[]) as payload`.execute(db)
}

/** `name`: what PostgreSQL shows of its connections. */
type Channel = { url: string; name: string; channel: string }
type Ears = { onSignal(payload: string): void; onBegin(): void; onFault(error: unknown): void }
export type Listener = { close(): Promise<void> }

const comeAgainMs = 1_000
const lookEveryMs = 5_000
const goodbyeMs = 1_000
const longestSilenceMs = 10_000

/** Listens until it is closed. `onBegin`: from here on nothing is missed; what came before may have been. */
export function listenTo({ url, name, channel }: Channel, on: Ears): Listener {
  let closed = false
  let current: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined

  async function listen(): Promise<void> {
    const client = newClient(url, {
      application_name: name,
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
    })
    current = client
    let ended = () => {}
    client.on('error', () => {})
    client.on('end', () => ended())
    client.on('notification', ({ payload = '' }) => on.onSignal(payload))
    try {
      await client.connect()
      await client.query(`listen ${channel}`)
      on.onBegin()
      // A connection that breaks is noticed at once. One whose other end is gone says nothing: ask now and then.
      while (!closed) {
        await new Promise<void>((resolve) => {
          timer = setTimeout(resolve, lookEveryMs)
          ended = () => resolve(clearTimeout(timer))
        })
        if (!closed) await client.query('select 1')
      }
    } catch (error) {
      if (!closed) on.onFault(error)
    }
    await client.end().catch(() => {})
    if (!closed) timer = setTimeout(() => void listen(), comeAgainMs)
  }

  void listen()
  return {
    async close() {
      closed = true
      clearTimeout(timer)
      // A server that says nothing any more would hold the stop.
      await Promise.race([current?.end().catch(() => {}), sleep(goodbyeMs, undefined, { ref: false })])
    },
  }
}

/** `sendUrl`: for sending, which needs no connection of its own. */
type LineOptions = Channel & { sendUrl: string; watchPool?: (pool: pg.Pool, silentMs: number) => void }

/** Both directions of a channel. A connection is opened when it is first used. */
export function openSignalLine({ sendUrl, watchPool, ...channel }: LineOptions) {
  let pool: pg.Pool | undefined
  let listener: Listener | undefined
  return {
    async send(payloads: readonly string[]): Promise<void> {
      if (!pool) {
        pool = openSignalPool(sendUrl, channel.name)
        watchPool?.(pool, longestSilenceMs)
      }
      await sendSignals(pool, channel.channel, payloads)
    },
    listen(on: Ears): void {
      listener ??= listenTo(channel, on)
    },
    async close(): Promise<void> {
      await Promise.all([listener?.close(), pool?.end()])
    },
  }
}
