import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** That something is new in a person's feed: a message, or (null) a change of others. The rows say what. */
export type Hint = { environmentId: string; subscriberId: string; messageId: string | null }

const channel = 'tidings_inbox'
// PostgreSQL takes 8,000 bytes at once. An entry is two ids, each in 22 characters.
const entriesAtOnce = 175
const noMessage = '-'.repeat(22)

/** Tells every node that listens. Nothing is kept: whoever does not hear it finds it in the rows. */
export async function sendHints(pool: pg.Pool, hints: readonly Hint[]): Promise<void> {
  const payloads: string[] = []
  for (const [environmentId, ofOne] of Map.groupBy(hints, (hint) => hint.environmentId)) {
    for (let from = 0; from < ofOne.length; from += entriesAtOnce) {
      const entries = ofOne.slice(from, from + entriesAtOnce)
      const texts = entries.map((it) => short(it.subscriberId) + (it.messageId ? short(it.messageId) : noMessage))
      payloads.push(short(environmentId) + texts.join(''))
    }
  }
  await pool.query('select pg_notify($1, payload) from unnest($2::text[]) as payload', [channel, payloads])
}

export function readHints(payload: string): Hint[] {
  const environmentId = long(payload.slice(0, 22))
  const hints: Hint[] = []
  for (let at = 22; at + 44 <= payload.length; at += 44) {
    const message = payload.slice(at + 22, at + 44)
    const subscriberId = long(payload.slice(at, at + 22))
    hints.push({ environmentId, subscriberId, messageId: message === noMessage ? null : long(message) })
  }
  return hints
}

/** A pool of one: hints never wait behind requests, nor requests behind hints. Who gets one is not told when it is on disk. */
export function openHintPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    statement_timeout: 5_000,
    application_name: 'tidings hints',
    options: '-c synchronous_commit=off',
  })
  // It is opened anew with the next hint.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

export type HintListener = { close(): Promise<void> }

const comeAgainMs = 1_000
const lookEveryMs = 5_000
const goodbyeMs = 1_000

/** Listens until it is closed. `onBegin`: from here on nothing is missed; what came before may have been. */
export function listenForHints(
  url: string,
  on: { onHints(hints: Hint[]): void; onBegin(): void; onFault(error: unknown): void },
): HintListener {
  let closed = false
  let current: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined

  async function listen(): Promise<void> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'tidings hints',
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
    })
    current = client
    client.on('error', () => {})
    client.on('notification', ({ payload = '' }) => on.onHints(readHints(payload)))
    try {
      await client.connect()
      await client.query(`listen ${channel}`)
      on.onBegin()
      // A connection whose other end is gone says nothing: ask now and then.
      while (!closed) {
        await new Promise((resolve) => {
          timer = setTimeout(resolve, lookEveryMs)
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

function short(uuid: string): string {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex').toString('base64url')
}

function long(text: string): string {
  const hex = Buffer.from(text, 'base64url').toString('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
