import type pg from 'pg'

// Connection exceptions (08), read-only (25006), a transaction ended by its time limit (25P03, 25P04), a login that is
// refused (28) or to a database that is not there (3D): during a failover or a change of passwords, out of resources
// (53), shut down, crashed, starting, dropped or sent away (57P01 to 57P05), system errors (58).
const awayStates = /^(08|25006|25P0[34]|28|3D|53|57P0|58)/
// After a failover the old connections lead to a server that only reads, and so they stay for as long as they are used.
const readOnly = '25006'

/** The connection that answered with this SQLSTATE is of no more use. */
export function isAwayState(code: string | undefined): boolean {
  return awayStates.test(code ?? '')
}

/** Replaces connections that lead to a database that is gone or only reads; several pools may share one. */
export type Renewal = {
  /** A connection that is silent for longer than this is cut: a server that lost its power says nothing any more. */
  watch(pool: pg.Pool, silentMs: number): void
  /** Every connection that is open now is replaced before it is used again. */
  renew(): void
}

// While a database only reads, every write says so. Replacing all connections once per this is enough.
const renewEveryMs = 500

/** `onRenew`: what else was known of the database is of the same time. */
export function createRenewal(onRenew: () => void = () => {}): Renewal {
  let generation = 0
  let renewedAt = Number.NEGATIVE_INFINITY
  const generations = new WeakMap<pg.PoolClient, number>()
  const idle = new Set<pg.PoolClient>()

  const renew = () => {
    if (performance.now() - renewedAt < renewEveryMs) return
    renewedAt = performance.now()
    generation++
    onRenew()
    // This is how a pool learns of an idle connection that broke; it drops it before anybody can take it.
    for (const client of idle) client.emit('error', new Error('replaced: the database it leads to takes no writes'))
    idle.clear()
  }

  const meet = (client: pg.PoolClient, silentMs: number) => {
    generations.set(client, generation)
    const { stream } = client.connection
    if ('setTimeout' in stream && typeof stream.setTimeout === 'function')
      stream.setTimeout(silentMs, () => stream.destroy(new Error('Connection terminated: the database is silent')))
    client.connection.on('errorMessage', ({ code }: pg.DatabaseError) => {
      if (isAwayState(code)) generations.set(client, -1)
      if (code === readOnly) renew()
    })
  }

  const watch = (pool: pg.Pool, silentMs: number) => {
    pool.on('acquire', (client) => {
      idle.delete(client)
      if (!generations.has(client)) meet(client, silentMs)
    })
    pool.on('release', (error, client) => {
      // A pool drops a connection that is ending.
      if (generations.get(client) !== generation) client.end()
      else if (!error) idle.add(client)
    })
    pool.on('remove', (client) => idle.delete(client))
  }
  return { watch, renew }
}
