import { expect, test } from 'vitest'
import { shareNotQueued } from '../../bench/lib/commit-waits.ts'
import { readRate } from '../../bench/lib/pgbench.ts'
import { perEvent } from '../../bench/lib/trigger-cost.ts'
import { spentBetween } from '../../bench/lib/usage.ts'

const usage = {
  apiCpuMs: 0,
  workerCpuMs: 0,
  postgresCpuMs: 0,
  walBytes: 0,
  statements: 0,
  planMs: 0,
  transactions: 0,
}

test('an event costs what was spent, less what the same seconds cost idle', () => {
  const before = { ...usage, apiCpuMs: 1_000, statements: 50 }
  const after = { ...usage, apiCpuMs: 1_300, workerCpuMs: 40, postgresCpuMs: 500, statements: 270 }
  const idle = { ...usage, apiCpuMs: 10, workerCpuMs: 4, statements: 2 }
  const each = perEvent(spentBetween(before, after), { idle, seconds: 10, events: 100 })
  expect(each).toMatchObject({ apiCpuMs: 2, workerCpuMs: 0, postgresCpuMs: 5, statements: 2 })
})

test('what PostgreSQL does not count stays unknown', () => {
  const uncounted = { ...usage, statements: null }
  expect(perEvent(uncounted, { idle: uncounted, seconds: 1, events: 1 }).statements).toBeNull()
})

test('commits queue when they wait for the lock, not when they wait for the standby', () => {
  expect(shareNotQueued({ standby: 40, lock: 0 })).toBe(1)
  expect(shareNotQueued({ standby: 10, lock: 150 })).toBe(1 / 16)
  expect(shareNotQueued({ standby: 0, lock: 0 })).toBe(1)
})

test('what pgbench printed is read, and no figure is made of what it did not print', () => {
  const output = `number of failed transactions: 0 (0.000%)
latency average = 5.125 ms
initial connection time = 21.123 ms
tps = 3122.482 (without initial connection time)
`
  expect(readRate(output)).toEqual({ perSecond: 3122.482, latencyMs: 5.125 })
  expect(readRate('pgbench: error: connection failed')).toBeNull()
})
