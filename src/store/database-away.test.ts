import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { awayStates, refuseWithState } from '../../test/database-away.ts'
import { type Client, sender, useHarness } from '../../test/harness.ts'
import { authenticator } from '../http/access/auth.ts'
import { toApiError } from '../http/error-reply.ts'
import { createServer as createApi } from '../http/server.ts'
import { type Database, isDatabaseUnavailable, openDatabase } from './database.ts'

const h = useHarness()
const codes = Object.keys(awayStates)
const opened: Database[] = []
const listening: Server[] = []
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close()
  for (const server of listening.splice(0)) server.close()
})

function open(url = h.databaseUrl, poolSize = 1): Database {
  const database = openDatabase({ url, poolSize, rowLevelSecurity: false, onError() {} })
  opened.push(database)
  return database
}

async function pidOf({ db }: Database): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  return rows[0]?.pid ?? 0
}

const raise = (code: string) => sql.raw(`do $$ begin raise exception 'refused' using errcode = '${code}'; end $$`)

describe('a connection that PostgreSQL answered with', () => {
  test.each(Object.entries(awayStates))('%s (%s) is not used again, alone or in a transaction', async (code) => {
    const database = open()
    const first = await pidOf(database)
    await expect(raise(code).execute(database.db)).rejects.toMatchObject({ code })
    const second = await pidOf(database)
    expect(second).not.toBe(first)
    const work = database.db.transaction().execute((trx) => raise(code).execute(trx))
    await expect(work).rejects.toSatisfy(isDatabaseUnavailable)
    expect(await pidOf(database)).not.toBe(second)
  })

  test('an error of the statement stays', async () => {
    const database = open()
    const first = await pidOf(database)
    for (const code of ['23505', '40001', '42P01', '57014', 'P0001']) {
      await expect(raise(code).execute(database.db)).rejects.toMatchObject({ code })
    }
    expect(await pidOf(database)).toBe(first)
  })

  test('the API answers each with 503 and Retry-After, and the same request works once that is over', async () => {
    await refuseWithState(h.admin, 'topic', 'key', 1)
    const env = await h.environment()
    for (const code of codes) {
      const reply = await env.post('/v2/topics', { key: `away-${code}`, name: code })
      expect(reply, code).toMatchObject({ status: 503, body: { code: 'service_unavailable' } })
      expect(Number(reply.headers.get('retry-after')), code).toBeGreaterThan(0)
      expect((await env.post('/v2/topics', { key: `away-${code}`, name: code })).status, code).toBe(200)
    }
  })
})

/** Asks an API that has this database. */
async function askThrough(url: string, env: Client) {
  const ctx = { ...h.ctx, database: open(url, 2) }
  const server = createApi(ctx, h.routes, authenticator(ctx, []))
  try {
    return await sender(await server.listen({ host: '127.0.0.1', port: 0 }))('GET', '/v2/topics', { key: env.key })
  } finally {
    await server.close()
  }
}

/** A peer that does this to whoever connects; its address. */
async function peer(greet: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => greet(socket.on('error', () => {})))
  listening.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

describe('a network that', () => {
  const ways: [string, () => Promise<string> | string][] = [
    ['refuses', () => '127.0.0.1:1'],
    ['knows no such host', () => 'no-such-host.invalid:5432'],
    ['closes before the first byte', () => peer((socket) => socket.end())],
    ['resets', () => peer((socket) => socket.resetAndDestroy())],
    // ECONNRESET without a syscall.
    [
      'breaks off while TLS is agreed on',
      () =>
        peer((socket) =>
          socket.once('data', () => socket.write('S', () => socket.once('data', () => socket.destroy()))),
        ),
    ],
  ]
  test.each(ways)('%s: 503 with Retry-After', async (name, address) => {
    const env = await h.environment()
    const url = `postgres://nobody@${await address()}/none${name.includes('TLS') ? '?sslmode=no-verify' : ''}`
    const reply = await askThrough(url, env)
    expect(reply).toMatchObject({ status: 503, body: { code: 'service_unavailable' } })
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

test('a host of two addresses that both refuse: one error that holds two, with a code and without a syscall', async () => {
  const both = [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]
  const socket = connect({
    host: 'both.test',
    port: 1,
    autoSelectFamily: true,
    lookup: (_, __, found) => found(null, both),
  })
  const [error] = await once(socket, 'error', { signal: AbortSignal.timeout(5_000) }).catch((reason) => [reason])
  expect(error).toBeInstanceOf(AggregateError)
  expect(error).not.toHaveProperty('syscall')
  expect(toApiError(error)).toMatchObject({ status: 503, details: { retryAfterSeconds: 2 } })
  // Also where nobody gave it a code.
  expect(isDatabaseUnavailable(new AggregateError(error.errors))).toBe(true)
  expect(isDatabaseUnavailable(new AggregateError([new TypeError('x is not a function')]))).toBe(false)
  expect(isDatabaseUnavailable(Object.assign(new Error('open'), { code: 'ENOENT' }))).toBe(false)
})

describe('when one connection meets a database that only reads', () => {
  test('all others are replaced too, those of the engine as well', async () => {
    const { database, engine } = h.ctx
    const inUse = async () => {
      const ours = Array.from({ length: 4 }, () => pidOf(database))
      const theirs = Array.from({ length: 4 }, async () => {
        const { rows } = await engine.boss.getDb().executeSql('select pg_backend_pid() as pid')
        return Number(rows[0].pid)
      })
      return new Set(await Promise.all([...ours, ...theirs]))
    }
    // A test before may have had all replaced just now.
    await new Promise((resolve) => setTimeout(resolve, 600))
    const before = await inUse()
    expect(before.size).toBeGreaterThan(5)
    await expect(raise('25006').execute(database.db)).rejects.toMatchObject({ code: '25006' })
    expect(before.intersection(await inUse())).toEqual(new Set())
    const after = await inUse()
    await expect(raise('23505').execute(database.db)).rejects.toMatchObject({ code: '23505' })
    expect(after.intersection(await inUse()).size).toBeGreaterThan(3)
  })
})
