import net from 'node:net'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useHarness } from '../../test/harness.ts'
import { makeWorkflow, messagesBySubscriber } from '../../test/pipeline.ts'
import { openDatabase } from '../store/database.ts'
import expandEvents from '../tasks/expand-events.ts'
import watchQueues from '../tasks/watch-queues.ts'
import type { Task } from './define-task.ts'
import type { TaskData } from './engine.ts'
import { loadTasks } from './load-tasks.ts'
import { stopTaking, workTasks } from './work-tasks.ts'
import { startWorker } from './worker.ts'

/** No worker: the test itself takes tasks, and dies with them in hand. */
const h = useHarness({ AT_ONCE_PEOPLE: '0' })
const { tasks } = await loadTasks()

/** Whoever holds a task of this queue dies, and the engine notices. Returns after how many seconds it comes again. */
async function die(queue: string): Promise<number> {
  await sql`update pgboss.job set heartbeat_on = heartbeat_on - interval '11 s' where name = ${queue} and state = 'active'`.execute(
    h.admin,
  )
  // Otherwise it looks once a second.
  await sql`update pgboss.queue set monitor_on = null, monitor_claim_on = null where name = ${queue}`.execute(h.admin)
  await h.ctx.engine.boss.supervise(queue)
  const { rows } = await sql<{ seconds: number }>`
    update pgboss.job j set start_after = now() from pgboss.job before
    where j.name = ${queue} and j.state = 'retry' and before.name = j.name and before.id = j.id
    returning extract(epoch from before.start_after - now())::float as seconds`.execute(h.admin)
  return rows[0]?.seconds ?? Number.NaN
}

async function deadLetters(): Promise<unknown[]> {
  const { rows } = await sql`select data from pgboss.job where name = 'dead-letters'`.execute(h.admin)
  return rows
}

test.each(tasks)(
  '$name: however many processes die with it in hand, it is not given up, but waits the longer',
  async ({ name }) => {
    await h.ctx.engine.enqueue(h.admin, name, 'bulk', [{ environmentId: 'e' }])
    const waits: number[] = []
    for (let death = 1; death <= 5; death++) {
      expect(await h.ctx.engine.boss.fetch(name)).toHaveLength(1)
      waits.push(await die(name))
    }
    expect(await deadLetters()).toEqual([])
    for (const [n, wait] of waits.entries()) {
      expect(wait).toBeGreaterThan(2 ** n - 1)
      expect(wait).toBeLessThanOrEqual(2 ** (n + 1))
    }
    await h.ctx.engine.boss.deleteAllJobs(name)
  },
)

test.each([1, 20])(
  'three processes die with a task of %i events in hand: no dead letter, and the fourth delivers all',
  async (count) => {
    const env = await h.environment()
    await makeWorkflow(env)
    const events = Array.from({ length: count }, (_, n) => ({ name: 'hello', to: `person-${n}` }))
    await env.post('/v1/events/trigger/bulk', { events })
    for (let death = 1; death <= 3; death++) {
      expect(await h.ctx.engine.boss.fetch('expand-events', { batchSize: 10 })).toHaveLength(1)
      await die('expand-events')
    }
    expect(await deadLetters()).toEqual([])
    await workTasks(h.ctx, [{ ...expandEvents, workers: { critical: 0, transactional: 1, bulk: 0 } }])
    await h.drain()
    expect(Object.keys(await messagesBySubscriber(env))).toHaveLength(count)
    stopTaking(h.ctx, [expandEvents])
  },
)

/** The way to PostgreSQL, which can be cut. */
async function openWay(url: string): Promise<{ url: string; cut(forMs: number): Promise<void>; close(): void }> {
  const { hostname, port } = new URL(url)
  const open = new Set<net.Socket>()
  let isCut = false
  const way = net.createServer((socket) => {
    if (isCut) {
      socket.destroy()
      return
    }
    const inner = net.connect(Number(port), hostname)
    for (const end of [socket, inner]) open.add(end.on('error', () => {}).on('close', () => end.destroy()))
    socket.pipe(inner).pipe(socket)
  })
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve))
  const changed = new URL(url)
  changed.host = `127.0.0.1:${(way.address() as net.AddressInfo).port}`
  return {
    url: changed.href,
    async cut(forMs) {
      isCut = true
      for (const socket of open) socket.destroy()
      setTimeout(() => {
        isCut = false
      }, forMs)
    },
    close: () => way.close(),
  }
}

test('the database is away while a task is in hand: it goes back when the database does, and no death is counted', async () => {
  const way = await openWay(h.databaseUrl)
  const database = openDatabase({ url: way.url, poolSize: 2, rowLevelSecurity: false, onError() {} })
  const ran: TaskData[] = []
  const task: Task = {
    ...expandEvents,
    workers: { critical: 0, transactional: 0, bulk: 1 },
    async run(_ctx, data) {
      ran.push(...data)
      if (ran.length > 1) return
      await way.cut(1_500)
      await sql`select 1`.execute(database.db)
    },
  }
  await h.ctx.engine.enqueue(h.admin, task.name, 'bulk', [{ environmentId: 'e', eventIds: ['1'] }])
  await workTasks({ ...h.ctx, database }, [task])
  const watch = startWorker(h.ctx, [watchQueues])
  await h.drain()
  await watch.stop()
  const { rows } = await sql`select retry_count as deaths, data->'tried' as tried from pgboss.job
    where name = ${task.name} and data->>'environmentId' = 'e' order by created_on`.execute(h.admin)
  expect(rows).toEqual([
    { deaths: 0, tried: null },
    { deaths: 0, tried: { away: 1 } },
  ])
  expect(ran).toHaveLength(2)
  stopTaking(h.ctx, [task])
  await database.close()
  way.close()
})
