import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { useHarness } from '../../../test/harness.ts'
import { EnvironmentHeld, type StateName } from '../../errors.ts'
import { uuid7 } from '../../lib/uuid7.ts'
import { type Db, type Env, envOf, inTransaction, isDatabaseUnavailable, openDatabase } from '../database.ts'
import { insertTenant } from '../tenants.ts'
import {
  abandonArrival,
  activate,
  countOpenTries,
  depart,
  freeze,
  isFrozenUntil,
  setArriving,
  startDraining,
  stateOf,
  thaw,
} from './environment-states.ts'

const h = useHarness()
let env: Env
beforeEach(async () => {
  env = envOf((await h.environment()).environmentId)
})

let made = 0
function writeOne(db: Db): Promise<unknown> {
  const now = new Date()
  made++
  return insertTenant(db, env, { identifier: `t${made}` }, now)
}

async function countTenants(): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from tenant where environment_id = ${env.environmentId}`.execute(h.admin)
  return rows[0]?.n ?? 0
}

const write = () => h.ctx.database.write(env, writeOne)
const read = () => h.ctx.database.read(env, (db) => sql`select 1`.execute(db))
const state = async () => (await stateOf(h.admin, env.environmentId))?.state

/** What the caller of a refused write or read is told. */
async function refusalOf(call: () => Promise<unknown>): Promise<{ state: StateName; cell: string | null } | null> {
  try {
    await call()
    return null
  } catch (error) {
    if (!(error instanceof EnvironmentHeld)) throw error
    const { state, cell } = error.held
    return { state, cell }
  }
}

/** A transaction of the environment that stays open until it is told to end. */
async function openWriter(): Promise<{ end(): void; done: Promise<unknown> }> {
  const [isIn, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const done = h.ctx.database.write(env, async (db) => {
    await writeOne(db)
    isIn.resolve()
    await mayEnd.promise
  })
  await isIn.promise
  return { end: mayEnd.resolve, done }
}

/** As many as wait for a lock now. */
async function countWaiting(): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from pg_locks where locktype = 'advisory' and not granted`.execute(h.admin)
  return rows[0]?.n ?? 0
}

describe('what each state lets through', () => {
  test.each<[StateName, boolean]>([
    ['active', true],
    ['draining', true],
    ['frozen', false],
    ['arriving', false],
    ['departed', false],
  ])('%s: %s', async (name, isOpen) => {
    await sql`update environment set state = ${name}, frozen_until = now() + interval '1 minute',
      cell = case ${name} when 'departed' then 'cb' end where id = ${env.environmentId}`.execute(h.admin)
    await sleep(260)
    const refused = isOpen ? null : { state: name, cell: name === 'departed' ? 'cb' : null }
    expect(await refusalOf(write)).toEqual(refused)
    expect(await refusalOf(read)).toEqual(refused)
    expect(await countTenants()).toBe(isOpen ? 1 : 0)
  })
})

describe('leases', () => {
  test.each(['draining', 'frozen'] as const)('the end of a %s lease is the end of the state', async (name) => {
    const hold = name === 'frozen' ? freeze : startDraining
    expect((await hold(h.admin, env.environmentId, 700))?.until.getTime()).toBeGreaterThan(Date.now())
    expect(await state()).toBe(name)
    await expect.poll(state, { timeout: 5_000 }).toBe('active')
    expect(await refusalOf(write)).toBeNull()
    await sleep(260)
    expect(await refusalOf(read)).toBeNull()
    expect(await depart(h.admin, env.environmentId, 'cb')).toBe(false)
    expect(await state()).toBe('active')
  })

  test('a lease is renewed, and ended early', async () => {
    const first = await freeze(h.admin, env.environmentId, 300)
    const second = await freeze(h.admin, env.environmentId, 60_000)
    expect(second?.until.getTime()).toBeGreaterThan((first?.until.getTime() ?? 0) + 50_000)
    expect(await thaw(h.admin, env.environmentId)).toBe(true)
    expect(await thaw(h.admin, env.environmentId)).toBe(false)
    expect(await refusalOf(write)).toBeNull()
  })
})

describe('writers and whoever changes the state', () => {
  test('a writer in flight is waited for, and its rows lie below the place that the freeze names', async () => {
    const writer = await openWriter()
    const frozen = freeze(h.admin, env.environmentId, 10_000)
    await expect.poll(countWaiting).toBe(1)
    expect(await state()).toBe('active')
    writer.end()
    await writer.done
    const lsn = (await frozen)?.lsn
    expect(lsn).toBeDefined()
    expect(await countTenants()).toBe(1)
    expect(await refusalOf(write)).toMatchObject({ state: 'frozen' })
    const { rows } = await sql<{ isBefore: boolean }>`
      select ${lsn}::pg_lsn <= pg_current_wal_lsn() as "isBefore"`.execute(h.admin)
    expect(rows).toEqual([{ isBefore: true }])
  })

  test('a writer that does not end puts the freeze off, and nobody else waits for long', async () => {
    const writer = await openWriter()
    expect(await freeze(h.admin, env.environmentId, 10_000)).toBeNull()
    expect(await refusalOf(write)).toBeNull()
    writer.end()
    await writer.done
    expect(await state()).toBe('active')
  })

  test('a writer that waited while the environment departed is refused, and told where to', async () => {
    await freeze(h.admin, env.environmentId, 10_000)
    await sleep(510)
    const waiting = await h.admin.transaction().execute(async (trx) => {
      expect(await depart(trx, env.environmentId, 'cb')).toBe(true)
      const refused = refusalOf(write)
      await expect.poll(countWaiting).toBe(1)
      return { refused }
    })
    expect(await waiting.refused).toEqual({ state: 'departed', cell: 'cb' })
    expect(await countTenants()).toBe(0)
    expect(await stateOf(h.admin, env.environmentId)).toMatchObject({ state: 'departed', cell: 'cb', generation: 2 })
  })

  test('nobody departs before every node has seen the freeze', async () => {
    const began = performance.now()
    await freeze(h.admin, env.environmentId, 10_000)
    expect(await depart(h.admin, env.environmentId, 'cb')).toBe(true)
    expect(performance.now() - began).toBeGreaterThan(495)
    expect(await freeze(h.admin, env.environmentId, 10_000)).toBeNull()
    expect(await thaw(h.admin, env.environmentId)).toBe(false)
  })

  test('a loop in flight is waited for too, and one that comes later passes over', async () => {
    const [isIn, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const loop = h.admin.transaction().execute(async (trx) => {
      await sql`select enter_loops()`.execute(trx)
      isIn.resolve()
      await mayEnd.promise
    })
    await isIn.promise
    const frozen = freeze(h.admin, env.environmentId, 10_000)
    await expect.poll(countWaiting).toBe(1)
    // Requests wait for no loop.
    expect(await refusalOf(write)).toBeNull()
    mayEnd.resolve()
    await loop
    await frozen
    const { rows } = await sql<{ held: string[] }>`select enter_loops() as held`.execute(h.admin)
    expect(rows[0]?.held).toContain(env.environmentId)
  })

  test('200 writers at once against freeze, thaw and depart: what was acknowledged is there, and nothing else', async () => {
    const { write: enter, close } = openDatabase({
      url: h.databaseUrl,
      poolSize: 20,
      rowLevelSecurity: false,
      onError() {},
    })
    let [acknowledged, refused, countAtDeparture] = [0, 0, -1]
    let isGone = false
    const one = async () => {
      while (!isGone) {
        const refusal = await refusalOf(() => enter(env, writeOne)).catch((error: Error) => {
          // On a busy machine some wait too long for a connection; nothing of theirs was sent.
          if (error.message !== 'timeout exceeded when trying to connect') throw error
          return { state: 'active' }
        })
        if (!refusal) acknowledged++
        else {
          refused++
          await sleep(10)
        }
        isGone ||= refusal?.state === 'departed'
      }
    }
    const writers = Promise.all(Array.from({ length: 200 }, one))
    let freezes = 0
    for (; freezes < 8; freezes++) {
      await sleep(30)
      expect(await freeze(h.admin, env.environmentId, 5_000)).not.toBeNull()
      const [before] = [await countTenants(), await sleep(20)]
      expect(await countTenants()).toBe(before)
      expect(await thaw(h.admin, env.environmentId)).toBe(true)
    }
    await freeze(h.admin, env.environmentId, 5_000)
    countAtDeparture = await countTenants()
    expect(await depart(h.admin, env.environmentId, 'cb')).toBe(true)
    await writers
    await close()
    expect(await countTenants()).toBe(countAtDeparture)
    expect(acknowledged).toBe(countAtDeparture)
    expect(acknowledged).toBeGreaterThan(100)
    expect(refused).toBeGreaterThan(100)
  })
})

describe('arriving', () => {
  const about = (id: string) => ({
    id,
    organizationId: uuid7(new Date()),
    organizationName: 'O',
    name: 'E',
    identifier: `te_${id}`,
    signingSecret: null,
    sourceCell: 'ca',
    generation: 4,
  })

  test('it is nobody\u2019s until it is active, one generation later', async () => {
    env = envOf(uuid7(new Date()))
    const id = env.environmentId
    expect(await setArriving(h.admin, about(id))).toBe(true)
    expect(await setArriving(h.admin, about(id))).toBe(true)
    expect(await refusalOf(write)).toEqual({ state: 'arriving', cell: 'ca' })
    expect(await activate(h.admin, id, 4)).toBe(false)
    expect(await activate(h.admin, id, 5)).toBe(true)
    expect(await activate(h.admin, id, 5)).toBe(true)
    expect(await stateOf(h.admin, id)).toEqual({ state: 'active', cell: null, generation: 5, until: null })
    expect(await setArriving(h.admin, { ...about(id), generation: 9 })).toBe(false)
    expect(await refusalOf(write)).toBeNull()
  })

  test('one that is given up is refused with where it still lives', async () => {
    env = envOf(uuid7(new Date()))
    await setArriving(h.admin, about(env.environmentId))
    expect(await abandonArrival(h.admin, env.environmentId)).toBe(true)
    expect(await refusalOf(write)).toEqual({ state: 'departed', cell: 'ca' })
    expect(await activate(h.admin, env.environmentId, 5)).toBe(false)
    expect(await setArriving(h.admin, about(env.environmentId))).toBe(true)
  })

  test('back again: the row that departed becomes the one that arrives', async () => {
    const { organizationId } = await h.admin
      .selectFrom('environment')
      .select('organization_id as organizationId')
      .where('id', '=', env.environmentId)
      .executeTakeFirstOrThrow()
    await freeze(h.admin, env.environmentId, 10_000)
    await depart(h.admin, env.environmentId, 'cb')
    const back = { ...about(env.environmentId), organizationId, sourceCell: 'cb' }
    expect(await setArriving(h.admin, { ...back, generation: 1 })).toBe(false)
    expect(await setArriving(h.admin, { ...back, generation: 2 })).toBe(true)
    expect(await refusalOf(write)).toEqual({ state: 'arriving', cell: 'cb' })
    expect(await activate(h.admin, env.environmentId, 3)).toBe(true)
    expect(await refusalOf(write)).toBeNull()
  })
})

test('tries whose answer is awaited are counted, those in doubt are not', async () => {
  const plant = (id: string, retryAt: string) =>
    sql`insert into message (environment_id, id, event_id, notification_id, job_id, subscriber_id, workflow_id,
        workflow_version, step_index, transaction_id, channel, status, content, delivery, in_flight, retry_at, updated_at)
      values (${env.environmentId}, ${id}, ${id}, ${id}, ${id}, ${id}, ${id}, 1, 0, 't', 'email', 'sent', '', 'open', true,
        now() + ${retryAt}::interval, now())`.execute(h.admin)
  await plant(uuid7(new Date()), '40 seconds')
  await plant(uuid7(new Date()), '-1 second')
  expect(await countOpenTries(h.admin, env.environmentId)).toBe(1)
})

test('a freeze that ran out is not the one that came after it', async () => {
  const isStill = (held: { until: Date } | null) =>
    inTransaction(h.admin, (trx) => isFrozenUntil(trx, env.environmentId, held ?? { until: new Date(0) }))
  const first = await freeze(h.admin, env.environmentId, 200)
  expect(await isStill(first)).toBe(true)
  await expect.poll(state).toBe('active')
  await write()
  const second = await freeze(h.admin, env.environmentId, 10_000)
  expect([await isStill(first), await isStill(second)]).toEqual([false, true])
})

describe('whoever waits', () => {
  test('a read that got its connection only after the environment had gone is refused', async () => {
    const database = openDatabase({ url: h.databaseUrl, poolSize: 1, rowLevelSecurity: false, onError() {} })
    const mayEnd = Promise.withResolvers<void>()
    try {
      const read = () => database.read(env, (db) => sql`select 1`.execute(db))
      await read()
      const busy = database.db.connection().execute(() => mayEnd.promise)
      const late = refusalOf(read)
      await freeze(h.admin, env.environmentId, 10_000)
      expect(await depart(h.admin, env.environmentId, 'cb')).toBe(true)
      mayEnd.resolve()
      expect(await late).toEqual({ state: 'departed', cell: 'cb' })
      await busy
    } finally {
      mayEnd.resolve()
      await database.close()
    }
  })

  test('for a mover that fell asleep alone with the environment waits a few seconds, not until it wakes up', async () => {
    const held = await freeze(h.admin, env.environmentId, 500)
    const [isIn, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const asleep = inTransaction(h.admin, async (trx) => {
      await isFrozenUntil(trx, env.environmentId, held ?? { until: new Date(0) })
      isIn.resolve()
      await mayEnd.promise
      await sql`select 1`.execute(trx)
    })
    const woken = expect(asleep).rejects.toSatisfy(isDatabaseUnavailable)
    await isIn.promise
    await expect.poll(state).toBe('active')
    const began = performance.now()
    await write()
    expect(performance.now() - began).toBeLessThan(6_000)
    mayEnd.resolve()
    await woken
  })

  test('one that cannot be activated yet, because somebody holds its lock, is worth another try', async () => {
    await sql`update environment set state = 'arriving', source_cell = 'cb' where id = ${env.environmentId}`.execute(
      h.admin,
    )
    const [isIn, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const hung = inTransaction(h.admin, async (trx) => {
      await sql`select pg_advisory_xact_lock_shared(environment_lock(${env.environmentId}))`.execute(trx)
      isIn.resolve()
      await mayEnd.promise
    })
    await isIn.promise
    await expect(activate(h.admin, env.environmentId, 2)).rejects.toSatisfy(isDatabaseUnavailable)
    mayEnd.resolve()
    await hung
    expect(await activate(h.admin, env.environmentId, 2)).toBe(true)
  })
})

test('loops pass over an environment for some time after its freeze: its departure may not be seen yet', async () => {
  const isPassedOver = async () => {
    const { rows } = await sql<{ held: boolean }>`
      select ${env.environmentId} = any (held_environments()) as held`.execute(h.admin)
    return rows[0]?.held
  }
  expect(await isPassedOver()).toBe(false)
  await freeze(h.admin, env.environmentId, 100)
  await expect.poll(state).toBe('active')
  await write()
  expect(await isPassedOver()).toBe(true)
  await sql`update environment set frozen_until = now() - interval '16 seconds' where id = ${env.environmentId}`.execute(
    h.admin,
  )
  expect(await isPassedOver()).toBe(false)
  await freeze(h.admin, env.environmentId, 10_000)
  await thaw(h.admin, env.environmentId)
  expect(await isPassedOver()).toBe(false)
})
