import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { awayStates, refuseWithState } from '../../test/database-away.ts'
import { useHarness } from '../../test/harness.ts'
import { makeWorkflow, messagesBySubscriber, trigger } from '../../test/pipeline.ts'
import { isDatabaseUnavailable, openDatabase } from './database.ts'

const h = useHarness({ AT_ONCE_PEOPLE: '0' }, { worker: true })

test('a worker repeats its task for as long as PostgreSQL is away: nothing is lost and nothing quarantined', async () => {
  await refuseWithState(h.admin, 'notification', 'transaction_id', 3)
  const env = await h.environment()
  await makeWorkflow(env)
  const codes = Object.keys(awayStates)
  for (const code of codes) await trigger(env, { to: `to-${code}`, transactionId: `away-${code}` })
  await h.drain()
  expect(await messagesBySubscriber(env)).toEqual(Object.fromEntries(codes.map((code) => [`to-${code}`, 1])))
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from pgboss.job where name = 'dead-letters'`.execute(h.admin)
  expect(rows[0]?.n).toBe(0)
}, 180_000)

test('a host that takes connections and never answers is away', async () => {
  const sockets: Socket[] = []
  const server = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const url = `postgres://nobody@127.0.0.1:${typeof address === 'object' ? address?.port : ''}/none`
  const { db, close } = openDatabase({ url, poolSize: 1, rowLevelSecurity: false, onError() {} })
  await expect(sql`select 1`.execute(db)).rejects.toSatisfy(isDatabaseUnavailable)
  await close()
  for (const socket of sockets) socket.destroy()
  server.close()
})

test('a server that falls silent in mid-statement costs the time limit, not the quarter of an hour of TCP', async () => {
  const { hostname, port } = new URL(h.databaseUrl)
  const pairs: [Socket, Socket][] = []
  const proxy = createServer((inner) => {
    const outer = connect(Number(port), hostname)
    pairs.push([inner.on('error', () => {}), outer.on('error', () => {})])
    inner.pipe(outer).pipe(inner)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  const url = new URL(h.databaseUrl)
  url.host = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const options = { url: url.href, poolSize: 1, rowLevelSecurity: false, onError() {}, statementTimeoutMs: 500 }
  const { db, close } = openDatabase(options)
  await sql`select 1`.execute(db)
  for (const [inner, outer] of pairs) inner.unpipe(outer)
  const began = performance.now()
  await expect(db.transaction().execute((trx) => sql`select 1`.execute(trx))).rejects.toSatisfy(isDatabaseUnavailable)
  expect(performance.now() - began).toBeLessThan(8_000)
  expect((await sql<{ n: number }>`select 1 as n`.execute(db)).rows).toEqual([{ n: 1 }])
  await close()
  for (const pair of pairs) for (const socket of pair) socket.destroy()
  proxy.close()
})
