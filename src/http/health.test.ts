import Fastify, { type FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { useSharedHarness } from '../../test/harness.ts'
import { envOf, openDatabase } from '../store/database.ts'
import { checkDatabase, readMigrations } from '../store/migrate.ts'
import { addHealth } from './health.ts'
import { createServer } from './server.ts'

const h = useSharedHarness()
const servers: FastifyInstance[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

function serverWith(checks: Parameters<typeof addHealth>[1]): FastifyInstance {
  const server = Fastify()
  servers.push(server)
  addHealth(server, checks)
  return server
}

test('live and ready need no key', async () => {
  expect(await h.send('GET', '/health/live')).toMatchObject({ status: 200, body: { status: 'ok' } })
  expect(await h.send('GET', '/health/ready')).toMatchObject({ status: 200, body: { status: 'ok' } })
})

describe('/health/ready', () => {
  test.each([
    ['all pass', { a: () => true, b: async () => true }, 200, { a: true, b: true }],
    ['one says no', { a: () => true, b: () => false }, 503, { a: true, b: false }],
    ['one rejects', { a: async () => Promise.reject(new Error('x')) }, 503, { a: false }],
    [
      'one throws',
      {
        a: () => {
          throw new Error('secret')
        },
      },
      503,
      { a: false },
    ],
  ])('%s', async (_name, checks, status, shown) => {
    const reply = await serverWith(checks).inject('/health/ready')
    expect(reply.statusCode).toBe(status)
    expect(reply.json()).toEqual({ status: status === 200 ? 'ok' : 'not ready', checks: shown })
  })

  test('a process that is stopping is not ready, and asks every client to come over another connection', async () => {
    const ctx = { ...h.ctx, drain: { begun: true } }
    const server = createServer(ctx, [], async () => envOf(''))
    servers.push(server)
    addHealth(server, { a: () => true }, ctx.drain)
    const ready = await server.inject('/health/ready')
    expect(ready.json()).toEqual({ status: 'stopping', checks: {} })
    const live = await server.inject('/health/live')
    expect([ready.statusCode, live.statusCode]).toEqual([503, 200])
    expect(live.headers.connection).toBe('close')
  })

  test('a check that hangs counts as failed before the probe gives up; live answers meanwhile', async () => {
    const server = serverWith({ a: () => new Promise<boolean>(() => {}) })
    const started = performance.now()
    const ready = server.inject('/health/ready')
    expect((await server.inject('/health/live')).statusCode).toBe(200)
    expect((await ready).statusCode).toBe(503)
    expect(performance.now() - started).toBeLessThan(3_000)
  })
})

describe('the database check', () => {
  test('passes on the schema this program knows and on a newer one, not on an older one', async () => {
    const known = readMigrations()
    const { database } = h.ctx
    expect(await checkDatabase(database, known)).toBe(true)
    expect(await checkDatabase(database, known.slice(0, -1))).toBe(true)
    for (const version of [(known.at(-1)?.version ?? 0) + 1, 0]) {
      const missing = { version, name: 'missing.sql', text: '', hash: '' }
      expect(await checkDatabase(database, [...known, missing])).toContain('lacks missing.sql')
    }
  })

  test('says that a database only reads, and asks another connection the next time', async () => {
    const reading = `${h.databaseUrl}?options=-c%20default_transaction_read_only%3Don`
    const database = openDatabase({ url: reading, poolSize: 1, rowLevelSecurity: false, onError() {} })
    const pid = async () =>
      (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database.db)).rows[0]?.pid
    const first = await pid()
    const server = serverWith({ database: () => checkDatabase(database) })
    const { statusCode, body } = await server.inject('/health/ready')
    expect(statusCode).toBe(503)
    expect(JSON.parse(body)).toEqual({
      status: 'not ready',
      checks: { database: false },
      reasons: { database: expect.stringContaining('only reads') },
    })
    expect(await pid()).not.toBe(first)
    await database.close()
  })
})
