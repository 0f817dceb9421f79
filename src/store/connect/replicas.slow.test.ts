import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { admin } from '../../../test/find-postgres.ts'
import { type Replicas, startReplicas } from '../../../test/postgres/replicas.ts'
import { type Database, inTransaction, isDatabaseUnavailable, openDatabase } from '../database.ts'
import { OutcomeUnknown } from './database-away.ts'

let nodes: Replicas
const opened: Database[] = []
beforeEach(async () => {
  // Not for the machine's sake: the standby is what is proved here.
  nodes = await startReplicas({ settings: ['fsync=off', 'shared_buffers=32MB'] })
  await admin(nodes.primary.url, (client) => client.query('create table kept (name text primary key)'))
}, 60_000)
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close().catch(() => {})
  await nodes.stop()
}, 30_000)

function open(url: string, poolSize = 2): Database {
  const database = openDatabase({ url, poolSize, rowLevelSecurity: false, onError() {} })
  opened.push(database)
  return database
}

/** Answers whether it was new. */
const keep = (database: Database, name: string) =>
  inTransaction(database.db, async (trx) => {
    const { numAffectedRows } =
      await sql`insert into kept (name) values (${name}) on conflict (name) do nothing`.execute(trx)
    return numAffectedRows === 1n
  })

const names = (url: string) =>
  admin(url, async (client) =>
    (await client.query<{ name: string }>('select name from kept')).rows.map((it) => it.name),
  )

async function untilCommitWaits(): Promise<number> {
  for (;;) {
    const { rows } = await admin(nodes.primary.url, (client) =>
      client.query<{ pid: number }>("select pid from pg_stat_activity where wait_event = 'SyncRep'"),
    )
    if (rows[0]) return rows[0].pid
    await sleep(20)
  }
}

describe('a commit that is not on the standby is not acknowledged', () => {
  test('when somebody cancels the wait', async () => {
    const database = open(nodes.primary.url)
    expect(await keep(database, 'before')).toBe(true)
    await nodes.standby.kill()
    const kept = expect(keep(database, 'lost')).rejects.toSatisfy(
      (error) => error instanceof OutcomeUnknown && isDatabaseUnavailable(error),
    )
    const pid = await untilCommitWaits()
    await admin(nodes.primary.url, (client) => client.query('select pg_cancel_backend($1)', [pid]))
    await kept
    expect(await names(nodes.primary.url)).toContain('lost')
  })

  test('when the standby is gone: the caller is told within eleven seconds, and nothing waits on', async () => {
    const database = open(nodes.primary.url, 1)
    await nodes.standby.kill()
    const began = performance.now()
    await expect(keep(database, 'lost')).rejects.toBeInstanceOf(OutcomeUnknown)
    expect(performance.now() - began).toBeGreaterThan(9_000)
    expect(performance.now() - began).toBeLessThan(12_000)
    const { rows } = await sql<{ n: number }>`select 1 as n`.execute(database.db)
    expect(rows).toEqual([{ n: 1 }])
    const { rows: waiting } = await admin(nodes.primary.url, (client) =>
      client.query("select pid from pg_stat_activity where wait_event = 'SyncRep'"),
    )
    expect(waiting).toEqual([])
  }, 30_000)

  test('when the server itself says nothing any more', async () => {
    const database = open(nodes.primary.url, 1)
    await nodes.standby.kill()
    const kept = expect(keep(database, 'lost')).rejects.toBeInstanceOf(OutcomeUnknown)
    const pid = await untilCommitWaits()
    process.kill(pid, 'SIGSTOP')
    await kept
    process.kill(pid, 'SIGKILL')
  }, 30_000)

  test('nor by a repetition that writes nothing', async () => {
    const database = open(nodes.primary.url)
    await nodes.standby.kill()
    const first = expect(keep(database, 'lost')).rejects.toBeInstanceOf(OutcomeUnknown)
    const pid = await untilCommitWaits()
    await admin(nodes.primary.url, (client) => client.query('select pg_cancel_backend($1)', [pid]))
    await first
    // The row is there now, on this node alone.
    await expect(keep(database, 'lost')).rejects.toBeInstanceOf(OutcomeUnknown)
    await nodes.primary.kill()
    await nodes.standby.start()
    await nodes.promote()
    expect(await names(nodes.standby.url)).toEqual([])
  }, 60_000)

  test('a repetition while all is well is answered', async () => {
    const database = open(nodes.primary.url)
    expect(await keep(database, 'kept')).toBe(true)
    expect(await keep(database, 'kept')).toBe(false)
    expect(await names(nodes.standby.url)).toEqual(['kept'])
  })
})

test('a standby can be read from, also in a transaction', async () => {
  await admin(nodes.standby.url, async (client) => {
    await client.query("alter system set synchronous_standby_names = '*'")
    await client.query('select pg_reload_conf()')
  })
  const database = open(nodes.standby.url)
  const read = async () => {
    const { rows } = await inTransaction(database.db, (trx) =>
      sql<{ names: string }>`select current_setting('synchronous_standby_names') as names`.execute(trx),
    )
    return rows[0]?.names
  }
  await expect.poll(read).toBe('*')
})

describe('several hosts', () => {
  const both = (order: ('primary' | 'standby')[]) =>
    `postgres://postgres@${order.map((it) => `127.0.0.1:${nodes[it].port}`).join(',')}/postgres`

  test.each([[['primary', 'standby']], [['standby', 'primary']]] as ('primary' | 'standby')[][][])(
    'the primary is found, named %s',
    async (order) => {
      const database = open(both(order))
      expect(await keep(database, 'kept')).toBe(true)
      const { rows } = await sql<{ port: number }>`select inet_server_port() as port`.execute(database.db)
      expect(rows).toEqual([{ port: nodes.primary.port }])
    },
  )

  test('after a failover the new primary is found, and nothing acknowledged is lost', async () => {
    const database = open(both(['primary', 'standby']), 4)
    const acknowledged: string[] = []
    const faults: unknown[] = []
    let isOver = false
    const write = async (writer: number) => {
      for (let at = 0; !isOver; at++) {
        const name = `${writer}-${at}`
        await keep(database, name).then(
          () => acknowledged.push(name),
          (error: unknown) => faults.push(error),
        )
        await sleep(5)
      }
    }
    const writers = [0, 1, 2, 3].map(write)
    while (acknowledged.length < 60) await sleep(20)
    await nodes.primary.kill()
    await nodes.promote()
    const promotedAt = performance.now()
    const before = acknowledged.length
    while (acknowledged.length < before + 50 && performance.now() - promotedAt < 10_000) await sleep(20)
    const healedMs = performance.now() - promotedAt
    isOver = true
    await Promise.all(writers)
    expect(before).toBeGreaterThan(50)
    expect(acknowledged.length).toBeGreaterThanOrEqual(before + 50)
    expect(healedMs).toBeLessThan(6_000)
    expect(faults.filter((it) => !isDatabaseUnavailable(it))).toEqual([])
    const found = new Set(await names(nodes.standby.url))
    expect(acknowledged.filter((name) => !found.has(name))).toEqual([])
  }, 60_000)

  test('while none is the primary, the database is away', async () => {
    const database = open(both(['primary', 'standby']))
    await nodes.primary.kill()
    await expect(keep(database, 'x')).rejects.toSatisfy(isDatabaseUnavailable)
  })

  test('an old primary that still answers is left alone', async () => {
    await nodes.promote()
    const database = open(both(['primary', 'standby']))
    const { rows } = await sql<{ port: number }>`select inet_server_port() as port`.execute(database.db)
    expect(rows).toEqual([{ port: nodes.standby.port }])
  })

  test('a wrong password is told as one', async () => {
    const url = both(['primary', 'standby']).replace('/postgres', '/nowhere')
    await expect(keep(open(url), 'x')).rejects.toBeInstanceOf(pg.DatabaseError)
  })
})
