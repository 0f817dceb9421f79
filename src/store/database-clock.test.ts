import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, expect, test, vi } from 'vitest'
import { testConfig, useHarness } from '../../test/harness.ts'
import { buildContext, closeContext } from '../build-context.ts'
import { startDatabaseClock } from './database-clock.ts'

const h = useHarness()
afterEach(() => {
  vi.useRealTimers()
})

/** The clock of this process, wrong by this much. The database's own is not touched. */
const shiftClock = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })

async function aheadMs(clock: () => Date): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(h.admin)
  return clock().getTime() - (rows[0]?.ms ?? 0)
}

test.each([-60_000, 2_000, 60_000])('a process whose clock is %i ms off means the time of the database', async (ms) => {
  shiftClock(ms)
  const ctx = await buildContext(testConfig(), h.databaseUrl, { worker: false, engineUrl: h.databaseUrl })
  try {
    expect(Math.abs(await aheadMs(ctx.clock))).toBeLessThan(500)
  } finally {
    await closeContext(ctx)
  }
})

test('it goes on while the clock of the machine is set, and through answers that come late', async () => {
  const clock = await startDatabaseClock(h.ctx.database.db, 10)
  const before = clock.now().getTime()
  shiftClock(-3_600_000)
  await sleep(50)
  expect(clock.now().getTime()).toBeGreaterThan(before)
  expect(Math.abs(await aheadMs(clock.now))).toBeLessThan(500)
  clock.stop()
})

// Their times never meet a row: how long to wait for a peer, and what this process tells about itself.
const ownClock =
  /^(egress\/|gateway\/|private-postgres\.ts|commands\/(compare|import-state)\/|engine\/worker\.ts|core\/integrations\/|core\/delivery\/send-attempt\.ts)/

test('nothing that is stored or compared with a row reads the clock of the machine', () => {
  const src = join(import.meta.dirname, '..')
  const files = globSync('**/*.ts', { cwd: src }).filter((file) => !file.endsWith('.test.ts') && !ownClock.test(file))
  const reads = files.filter((file) => /\bDate\.now\(\)|\bnew Date\(\)/.test(readFileSync(join(src, file), 'utf8')))
  expect(reads).toEqual([
    // A vendor's Retry-After that is a date, measured against now.
    'providers/outcome.ts',
    // The library reads the machine's clock, and is told how far that is off.
    'core/sign-in/issuer.ts',
  ])
})
