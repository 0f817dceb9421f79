import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { testConfig, useHarness } from '../../../test/harness.ts'
import { fillEnvironment } from '../../../test/moves/filled-environment.ts'
import { type CellName, otherCell, quiet, steps, useTwoCells } from '../../../test/moves/two-cells.ts'
import { startTcpProxy } from '../../../test/peers/tcp-proxy.ts'
import { runProgram } from '../../commands/cli/run-program.ts'
import { createSealer } from '../../lib/seal.ts'
import { findHomeCell } from '../../store/access/environment-states.ts'
import { type Db, inTransaction } from '../../store/database.ts'
import { deleteRows } from '../../store/moves/left-rows.ts'
import { listMovedTables } from '../../store/moves/moved-tables.ts'
import {
  dropPublishing,
  dropSubscription,
  makeSlot,
  publish,
  readSlot,
  subscribe,
} from '../../store/moves/replication.ts'
import { beginToSealWith } from '../operations/check-encryption-keys.ts'
import { resealSecrets } from '../operations/reseal-secrets.ts'
import { openCells } from './cells.ts'
import { forgetEnvironment } from './forget-environment.ts'
import { giveUpMove, moveEnvironment } from './move-environment.ts'
import { type StepName, stepNames } from './progress.ts'

const h = useHarness()
const two = useTwoCells()
let env = { environmentId: '', key: '' }
let home: CellName = 'ca'
beforeAll(async () => {
  env = await fillEnvironment(two, home)
}, 180_000)

const dbOf = (cell: CellName) => two.cells.get(cell).database.db
// All of them take minutes: CI has one in this many, others with each commit.
const every = Number(process.env.MOVE_KILLS_EVERY ?? 1)
const chosen = stepNames.filter((_, at) => (at + Number(process.env.CHAOS_SEED ?? 0)) % every === 0)
const beforeCommit = chosen.filter((name) => stepNames.indexOf(name) < stepNames.indexOf('departed'))

/** Where it is, nowhere else, and with everything that it had. */
async function expectHome(cell: CellName, sums: Record<string, string>): Promise<void> {
  expect(await two.statesOf(env.environmentId)).toMatchObject({ [cell]: 'active' })
  expect((await two.statesOf(env.environmentId))[otherCell(cell)]).not.toBe('active')
  const found = await two.sumsOf(cell, env.environmentId)
  for (const table of new Set([...Object.keys(found), ...Object.keys(sums)]))
    expect(found[table], table).toBe(sums[table])
}

/** Open tasks, in a form that both cells must show. */
async function tasksOf(cell: CellName): Promise<unknown[]> {
  const { rows } = await sql`select id, name, data, priority, group_id, source_name from pgboss.job
    where state < 'completed' and data->>'environmentId' = ${env.environmentId} order by id`.execute(dbOf(cell))
  return rows
}

async function foldAll(cell: CellName): Promise<void> {
  await sql`select fold_tallies(100000)`.execute(dbOf(cell))
}

describe('a move', { timeout: 600_000 }, () => {
  test('and back again: the same rows, the same tasks, nothing left behind', async () => {
    await foldAll(home)
    await sql`insert into pgboss.job (name, data, priority, group_id, start_after, state) values
      ('advance-notifications', ${JSON.stringify({ environmentId: env.environmentId, notificationIds: [] })}, 20, 'g:20', now() + interval '1 day', 'created'),
      ('deliver-messages', ${JSON.stringify({ environmentId: env.environmentId, messageIds: [], tried: { failed: 1 } })}, 30, 'i:30', now() + interval '1 day', 'active')`.execute(
      dbOf(home),
    )
    await sql`insert into pgboss.job (name, data, state, source_name) values
      ('dead-letters', ${JSON.stringify({ environmentId: env.environmentId, eventIds: [] })}, 'created', 'expand-events')`.execute(
      dbOf(home),
    )
    const [sums, tasks] = [await two.sumsOf(home, env.environmentId), await tasksOf(home)]
    expect(Object.keys(sums).length).toBeGreaterThan(15)
    expect(tasks.length).toBeGreaterThan(2)
    for (const to of [otherCell(home), home]) {
      const { differences, times } = await two.move(env.environmentId, to)
      console.log(`moved to ${to}:`, times)
      expect(differences).toEqual([])
      expect(times.held).toBeGreaterThan(499)
      await expectHome(to, sums)
      expect(await tasksOf(to)).toEqual(tasks)
      expect(await tasksOf(otherCell(to))).toEqual([])
      expect(await two.leftBehind()).toEqual([])
      const known = await sql`select relname from pg_class
        where relname in ('subscriber', 'message', 'job') and reltuples > 0 order by 1`.execute(dbOf(to))
      expect(known.rows, 'tables that were analyzed').toHaveLength(3)
    }
    // Its timers do not stand at the head of the old cell's indexes.
    const { rows } =
      await sql`select 1 from job where environment_id = ${env.environmentId} and run_at is not null`.execute(
        dbOf(otherCell(home)),
      )
    expect(rows).toEqual([])
    const control =
      await sql`select cell, generation from placement where environment_id = ${env.environmentId}`.execute(
        two.cells.control.db,
      )
    expect(control.rows).toEqual([{ cell: home, generation: 3 }])
    // Links name the first cell for ever: all tries of a message must be alike.
    expect(await findHomeCell(dbOf(otherCell(home)), env.environmentId)).toBe(home)
    expect(await findHomeCell(dbOf(home), env.environmentId)).toBe(home)
  })

  test.each(chosen)('killed at "%s": the same command goes on, and loses nothing', async (dieAt: StepName) => {
    const sums = await two.sumsOf(home, env.environmentId)
    const tasks = await tasksOf(home)
    const to = otherCell(home)
    const killed = await two.moverProcess(env.environmentId, to, dieAt)
    expect(killed.signal, killed.said).toBe('SIGKILL')
    const states = Object.values(await two.statesOf(env.environmentId))
    expect(states.filter((state) => ['active', 'draining', 'frozen'].includes(state ?? '')).length).toBeLessThan(2)
    const resumed = await two.moverProcess(env.environmentId, to)
    if (dieAt === 'compared' || dieAt === 'defused') expect(resumed.said).toContain(`It lives in ${to} already`)
    else expect(resumed.said).toMatch(/"held"|"activate"/)
    home = to
    await expectHome(home, sums)
    expect(await tasksOf(home)).toEqual(tasks)
    expect(await two.leftBehind()).toEqual([])
  })

  test.each(beforeCommit)(
    'killed at "%s" and given up: it works on where it was, and nothing of it is elsewhere',
    async (dieAt) => {
      const sums = await two.sumsOf(home, env.environmentId)
      const to = otherCell(home)
      const killed = await two.moverProcess(env.environmentId, to, dieAt)
      expect(killed.signal, killed.said).toBe('SIGKILL')
      const isBegun = dieAt !== 'checked'
      const given = giveUpMove(two.cells, env.environmentId, quiet)
      if (isBegun) expect(await given).toBe(home)
      else await expect(given).rejects.toThrow('No move of it is under way')
      await expectHome(home, sums)
      const { api_key: _key, integration: _integration, ...left } = await two.sumsOf(to, env.environmentId)
      // An earlier stay is cleared as soon as a move begins.
      if (isBegun) expect(left).toEqual({})
      expect(await two.leftBehind()).toEqual([])
    },
  )

  test('whose freeze runs out while the mover sleeps: nothing has moved, and it works where it was', async () => {
    const sums = await two.sumsOf(home, env.environmentId)
    let slept = 0
    const moving = two.move(
      env.environmentId,
      otherCell(home),
      steps(async (name) => {
        if (name === 'draining' && slept > 0) throw new Error('enough')
        if (name !== 'ready') return
        slept++
        await sleep(10_500)
        expect(await two.statesOf(env.environmentId)).toMatchObject({ [home]: 'active' })
      }),
    )
    await expect(moving).rejects.toThrow('enough')
    expect(slept).toBe(1)
    await expectHome(home, sums)
    expect(await giveUpMove(two.cells, env.environmentId, quiet)).toBe(home)
  })

  test('takes no claim along whose request was refused by the freeze: repeated, it need not wait for it', async () => {
    const claims = async (cell: CellName) => {
      const { rows } = await sql<{ hash: Buffer }>`select request_hash as hash from idempotency
        where environment_id = ${env.environmentId} and request_hash in ('\\x01', '\\x02') order by 1`.execute(
        dbOf(cell),
      )
      return rows.map((row) => row.hash.toString('hex'))
    }
    await sql`insert into idempotency (environment_id, claim, request_hash, claimed_at, leased_until, status, reply) values
      (${env.environmentId}, '\\x01', '\\x01', now(), now() + interval '1 minute', null, null),
      (${env.environmentId}, '\\x02', '\\x02', now(), now() + interval '1 minute', 201, 'x')`.execute(dbOf(home))
    expect(await claims(home)).toEqual(['01', '02'])
    await two.move(env.environmentId, otherCell(home))
    home = otherCell(home)
    expect(await claims(home)).toEqual(['02'])
  })

  test('by two movers at once: one of them', async () => {
    const second: unknown[] = []
    await two.move(
      env.environmentId,
      otherCell(home),
      steps(async (name) => {
        if (name !== 'copied') return
        second.push(await two.move(env.environmentId, otherCell(home)).catch((error: Error) => error.message))
        second.push(await giveUpMove(two.cells, env.environmentId, quiet).catch((error: Error) => error.message))
      }),
    )
    home = otherCell(home)
    expect(second).toEqual([expect.stringMatching(/Another mover/), expect.stringMatching(/Another mover/)])
  })

  test('finds a row that is not the same, and does not switch', async () => {
    const to = otherCell(home)
    const moving = two.move(
      env.environmentId,
      to,
      steps(async (name) => {
        if (name !== 'copied') return
        await sql`update subscriber set first_name = 'Eve' where environment_id = ${env.environmentId} and subscriber_id = 'p7'`.execute(
          dbOf(to),
        )
      }),
    )
    await expect(moving).rejects.toThrow(
      /differs from .*\n- subscriber from the first to the last: 30 rows against 30, with other content/,
    )
    expect(await two.statesOf(env.environmentId)).toMatchObject({ [home]: 'active', [to]: 'arriving' })
    await giveUpMove(two.cells, env.environmentId, quiet)
  })

  test('whose cell changed its encryption key just before the copy does not switch; during the copy no key can be changed', async () => {
    const to = otherCell(home)
    const sealer = createSealer([{ id: 'k9', bytes: Buffer.alloc(32, 9) }, ...testConfig().encryptionKeys])
    const refusals: string[] = []
    const move = (at: StepName, act: (db: Db) => Promise<unknown>) =>
      moveEnvironment(
        two.cells,
        { environmentId: env.environmentId, to },
        sealer,
        steps(async (name) => {
          if (name === at) await act(dbOf(home))
        }),
      )
    const seal = (db: Db) => inTransaction(db, (trx) => beginToSealWith(trx, sealer, 'k9'))
    await expect(move('checked', seal)).rejects.toThrow(/keys changed while the copy began.*"k9"/s)
    expect(await two.statesOf(env.environmentId)).toMatchObject({ [home]: 'active', [to]: 'arriving' })
    await giveUpMove(two.cells, env.environmentId, quiet)

    // With the key in both cells the move goes on, and nobody can change a key on the way.
    await seal(dbOf(to))
    const reseal = (db: Db) =>
      resealSecrets(db, sealer, { now: new Date(), progress: () => {} }).catch((error: Error) => {
        refusals.push(error.message)
      })
    const { differences } = await move('copied', async () => {
      await reseal(dbOf(home))
      await reseal(dbOf(to))
    })
    expect(differences).toEqual([])
    expect(refusals).toEqual([expect.stringMatching(/being moved/), expect.stringMatching(/being moved/)])
    home = to
    for (const cell of ['ca', 'cb'] as const) await sql`delete from encryption_key where id = 'k9'`.execute(dbOf(cell))
  })

  test('loses its slot: it says so, and makes no new one that would begin too late', async () => {
    const to = otherCell(home)
    const killed = await two.moverProcess(env.environmentId, to, 'copied')
    expect(killed.signal, killed.said).toBe('SIGKILL')
    const name = `tidings_move_${env.environmentId.replaceAll('-', '')}`
    await sql`select pg_terminate_backend(active_pid) from pg_replication_slots where slot_name = ${name}`.execute(
      dbOf(home),
    )
    await expect
      .poll(() =>
        sql`select pg_drop_replication_slot(${name})`.execute(dbOf(home)).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
    await expect(two.move(env.environmentId, to)).rejects.toThrow('has lost the replication slot')
    await giveUpMove(two.cells, env.environmentId, quiet)
    expect(await two.leftBehind()).toEqual([])
  })

  test('whose old cell is away when the subscription is dropped: it is dropped, and the slot later', async () => {
    const { environmentId } = await two.environment('ca')
    const direct = new URL(two.databases.get('ca') ?? '')
    const proxy = await startTcpProxy(`http://127.0.0.1:${direct.port}`)
    const through = new URL(direct)
    through.port = new URL(proxy.url).port
    await publish(dbOf('ca'), environmentId, await listMovedTables(dbOf('ca')))
    await makeSlot(dbOf('ca'), environmentId)
    await subscribe(dbOf('cb'), environmentId, through.href)
    await expect.poll(() => readSlot(dbOf('ca'), environmentId)).toMatchObject({ isActive: true })
    await proxy.close()
    expect(await dropSubscription(dbOf('cb'), environmentId)).toBe(false)
    expect((await two.leftBehind()).filter((it) => it.includes('tidings_move')).map((it) => it.split(' ')[0])).toEqual([
      'publication',
      'slot',
    ])
    await dropPublishing(dbOf('ca'), environmentId, { subscriptionOid: null, targetSystem: null })
    expect((await two.leftBehind()).filter((it) => it.includes('tidings_move'))).toEqual([])
  })

  test('rows that are published, or alive, cannot be deleted', async () => {
    const to = otherCell(home)
    const deleting = (cell: CellName) => deleteRows(dbOf(cell), env.environmentId, ['tenant'], () => {})
    await expect(deleting(home)).rejects.toThrow('it lives in this cell')
    await two.moverProcess(env.environmentId, to, 'copied')
    await expect(deleting(home)).rejects.toThrow('its rows are published')
    await expect(deleting(to)).rejects.toThrow('being copied')
    await giveUpMove(two.cells, env.environmentId, quiet)
  })

  test('is forgotten by the old cell after a week, but for what shows where it went', async () => {
    const from = home
    const sums = await two.sumsOf(home, env.environmentId)
    await two.move(env.environmentId, otherCell(home))
    home = otherCell(home)
    const forget = (now: boolean) => forgetEnvironment(two.cells, env.environmentId, { now, progress: quiet })
    await expect(forget(false)).rejects.toThrow('less than 7 days ago')
    await sql`update environment_move set departed_at = now() - interval '8 days'`.execute(dbOf(from))
    expect(await forget(false)).toEqual([{ cell: from, rows: expect.any(Number) }])
    expect(Object.keys(await two.sumsOf(from, env.environmentId))).toEqual(['api_key', 'integration'])
    expect(await two.statesOf(env.environmentId)).toMatchObject({ [from]: 'departed' })
    expect(await forget(false)).toEqual([])
    await expectHome(home, sums)
    await two.move(env.environmentId, from)
    home = from
    await expectHome(home, sums)
  })
})

describe('the command', { timeout: 120_000 }, () => {
  const config = () =>
    testConfig({ CELL_DATABASES: [...two.databases].map(([name, url]) => `${name}=${url}`).join(','), CELL: 'ca' })
  const run = async (...args: string[]) => {
    const said: string[] = []
    await runProgram(['environments', ...args], { settings: config, print: (line) => said.push(line) })
    return said.join('\n')
  }

  test('moves, tells how long each part took, and lists the move', async () => {
    const to = otherCell(home)
    const said = await run('move', env.environmentId, '--to', to)
    expect(said).toMatch(/^checked .*(\n.*)*\ndeparted .*(\n.*)*\ncompared {3}every row is the same/m)
    expect(said).toMatch(/The environment has moved from c[ab] to c[ab]\. copy \d+ ms, .*held \d+ ms/)
    expect(await run('moves')).toMatch(new RegExp(`^${env.environmentId}  ${home} → ${to}  compared, departed `, 'm'))
    home = to
    await expect(run('move', env.environmentId, '--to', to)).rejects.toThrow(`It lives in ${to} already.`)
    expect(await run('move', env.environmentId, '--verify')).toMatch(
      /^At the switch every row was the same\.\nNow c[ab] has every row that c[ab] has kept\.$/m,
    )
    await sql`delete from tenant where environment_id = ${env.environmentId}`.execute(dbOf(to))
    expect(await run('move', env.environmentId, '--verify')).toMatch(/^tenant: 1 rows of c[ab] are not in c[ab]/m)
    expect(await run('forget', env.environmentId, '--now')).toMatch(/^\d+ rows were deleted from c[ab],/m)
  })

  test.each([[['move']], [['move', 'x']], [['moves', 'x']], [['forget']], [['move', 'a', 'b']]])(
    '%j: says how',
    async (args) => {
      await expect(run(...args)).rejects.toThrow(/--help$|is not the id of an environment/)
    },
  )

  test('without a cell, without databases', async () => {
    await expect(run('move', env.environmentId)).rejects.toThrow('--to <cell>')
    await expect(runProgram(['environments', 'moves'], { settings: () => testConfig(), print() {} })).rejects.toThrow(
      'Set CELL_DATABASES',
    )
  })
})

describe('the checks', () => {
  test('name every fault at once, and change nothing', async () => {
    const other = openCells(new Map([...two.databases, ['cx', h.databaseUrl]]), undefined)
    const made = await h.environment()
    const { rows } = await sql<{
      id: string
    }>`select id from api_key where environment_id = ${made.environmentId}`.execute(h.admin)
    const organization = await sql<{
      id: string
    }>`insert into organization (id, name) values (gen_random_uuid(), 'o') returning id`.execute(dbOf('cb'))
    await sql`insert into environment (id, organization_id, name, identifier)
      select gen_random_uuid(), ${organization.rows[0]?.id}, 'taken', e.identifier
      from (select ${(await sql<{ identifier: string }>`select identifier from environment where id = ${made.environmentId}`.execute(h.admin)).rows[0]?.identifier}::text as identifier) e`.execute(
      dbOf('cb'),
    )
    await sql`insert into encryption_key (id, check_value, first_used_at) values ('t9', 'x', now())`.execute(h.admin)
    const sealer = createSealer([{ id: 't1', bytes: Buffer.alloc(32, 1) }])
    const moving = moveEnvironment(other, { environmentId: made.environmentId, to: 'cb' }, sealer, quiet)
    const message = await moving.then(
      () => '',
      (error: Error) => error.message,
    )
    await other.close()
    expect(rows).toHaveLength(1)
    expect(message).toMatch(/nothing was changed/)
    expect(message).toMatch(/cx: wal_level is replica; it must be logical/)
    expect(message).toMatch(/cx: secrets are sealed with the key "t9", which ENCRYPTION_KEYS lacks/)
    expect(message).toMatch(/cb: another environment has the identifier te_/)
    expect((await two.statesOf(made.environmentId)).cb).toBe(null)
  })

  test('a cell that is not known, an environment that nobody has', async () => {
    await expect(two.move(env.environmentId, 'zz' as CellName)).rejects.toThrow('CELL_DATABASES has no cell "zz"')
    await expect(two.move('01890000-0000-7000-8000-000000000000', 'cb')).rejects.toThrow(
      'No cell of CELL_DATABASES has',
    )
  })
})
