import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { type Json, sender, useSharedHarness } from '../../../test/harness.ts'
import { startWorker } from '../../engine/worker.ts'
import { authenticator } from '../../http/access/auth.ts'
import type { Route } from '../../http/load-routes.ts'
import { createServer } from '../../http/server.ts'
import { createLoopWatch } from './loop-watch.ts'

const h = useSharedHarness()
const closing: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closing) await close()
})

function blockFor(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; );
}

function watched() {
  const lines: Json[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => lines.push(JSON.parse(line)) })
  let count = 0
  const loopWatch = createLoopWatch(log, { inc: () => count++ })
  loopWatch.start()
  closing.push(loopWatch.close)
  return { ctx: { ...h.ctx, log, loopWatch }, lines, counted: () => count }
}

test('a request that holds the event loop for over a second is named with its environment, counted, and others go on', async () => {
  const { ctx, lines, counted } = watched()
  const list: Json = h.routes.find((route) => route.kind === 'key' && route.name === 'topics-list')
  const blocking = {
    ...list,
    path: '/v2/blocking/{id}',
    handler: async () => {
      await sleep(10)
      blockFor(1_300)
      return { data: [], next: null, previous: null }
    },
  } as Route
  const server = createServer(ctx, [blocking], authenticator(ctx, []))
  closing.push(() => server.close())
  const send = sender(await server.listen({ host: '127.0.0.1', port: 0 }))
  const env = await h.environment()
  await send('GET', '/v2/blocking/1', { key: env.key })
  await sleep(150)
  const told = lines.filter((line) => line.msg === 'the event loop was blocked')
  expect(told).toHaveLength(1)
  expect(told[0].running).toEqual([{ route: 'GET /v2/blocking/:id', environmentId: env.environmentId }])
  expect(told[0].blockedMs).toBeGreaterThan(1_000)
  expect(told[0].cpuMs).toBeGreaterThan(0)
  expect(counted()).toBe(1)

  // What is over is not named again.
  blockFor(1_200)
  await sleep(150)
  expect(lines.filter((line) => line.msg === 'the event loop was blocked')[1].running).toEqual([])
})

test('a loop that holds it is named; a short wait is not told', async () => {
  const { ctx, lines, counted } = watched()
  blockFor(300)
  await sleep(150)
  expect(counted()).toBe(0)
  let turns = 0
  const loop = {
    name: 'count-sheep',
    everyMs: 10_000,
    run: async () => {
      if (turns++ === 0) blockFor(1_200)
      await sleep(150)
      return 0
    },
  }
  const worker = startWorker(ctx, [loop])
  await sleep(200)
  await worker.stop()
  expect(lines[0].running).toEqual([{ loop: 'count-sheep' }])
})
