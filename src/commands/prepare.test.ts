import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { client, sender, testConfig, useHarness } from '../../test/harness.ts'
import { makeSendgrid } from '../../test/integration-samples.ts'
import { listEncryptionKeys } from '../store/access/encryption-keys.ts'
import { listLiveNodes } from '../store/access/nodes.ts'
import { runProgram } from './cli/run-program.ts'
import { prepare } from './prepare.ts'

const keys = (...ids: [string, number][]) =>
  ids.map(([id, byte]) => `${id}:${Buffer.alloc(32, byte).toString('base64')}`).join(',')
const h = useHarness({ ENCRYPTION_KEYS: keys(['t1', 1], ['t2', 2]) })
const config = (settings: Record<string, string> = {}) => testConfig({ DATABASE_URL: h.databaseUrl, ...settings })

/** The same database as the role that row-level security holds. */
function asTenantRole(): Record<string, string> {
  const url = new URL(h.databaseUrl)
  url.username = inject('postgres').rlsRole
  url.password = 'rls'
  return { DATABASE_URL: url.href, ROW_LEVEL_SECURITY: 'true' }
}

async function started(settings: Record<string, string>): Promise<string | null> {
  const prepared = await prepare(config(settings), () => {})
  await prepared.close()
  return prepared.newKey
}

describe('a start with the wrong keys is refused', () => {
  test.each([
    ['as the owner of the tables', () => ({})],
    ['under row-level security', asTenantRole],
  ])('%s', async (_name, role) => {
    await expect(started({ ...role(), ENCRYPTION_KEYS: keys(['t2', 2]) })).rejects.toThrow(
      /"t1".*ENCRYPTION_KEYS lacks/,
    )
    await expect(started({ ...role(), ENCRYPTION_KEYS: keys(['t1', 9]) })).rejects.toThrow(/"t1".*bytes are not those/)
    await expect(started({ ...role(), ENCRYPTION_KEYS: keys(['t1', 1]) })).resolves.not.toThrow()
  })

  test('and a refused start leaves no connection behind', async () => {
    const connections = async () => {
      const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend'`.execute(h.admin)
      return rows.map((row) => row.pid)
    }
    const before = new Set(await connections())
    await expect(started({ ENCRYPTION_KEYS: keys(['t2', 2]) })).rejects.toThrow(/ENCRYPTION_KEYS lacks/)
    // PostgreSQL takes a moment to see that one has gone.
    await expect.poll(async () => (await connections()).filter((pid) => !before.has(pid))).toEqual([])
  })

  test('under row-level security a process announces its keys, goes, and leaves nothing behind', async () => {
    const announced = () => listLiveNodes(h.admin).then((nodes) => nodes.map((it) => [it.role, it.pid, it.keyIds]))
    const before = await announced()
    const given = { ...asTenantRole(), ENCRYPTION_KEYS: keys(['r1', 5], ['t1', 1]) }
    const prepared = await prepare(config(given), () => {}, { role: 'worker' })
    expect((await announced()).filter(([role]) => role === 'worker')).toEqual([['worker', process.pid, ['r1', 't1']]])
    // A key that is only first in the setting of one process seals nothing, so the others need not have it.
    expect(prepared.ctx.sealer.currentKeyId()).toBe('t1')
    await prepared.close()
    expect(await announced()).toEqual(before)
    await expect(started({})).resolves.not.toThrow()
  })
})

describe('an empty database', () => {
  let name = ''
  let url = ''
  const admin = async (text: string) => {
    const connection = new pg.Client({ connectionString: inject('postgres').url })
    await connection.connect()
    await connection.query(text).finally(() => connection.end())
  }
  beforeEach(async () => {
    name = `tidings_test_${process.pid}_${randomBytes(4).toString('hex')}`
    await admin(`create database ${name}`)
    url = new URL(`/${name}`, inject('postgres').url).href
  })
  afterEach(() => admin(`drop database if exists ${name} with (force)`))

  test('migrate: five at once bring it up to date, one tells the first key, and it is told once', async () => {
    const said: string[] = []
    const run = () =>
      runProgram(['migrate'], {
        settings: () => testConfig({ DATABASE_URL: url, DATABASE_POOL_SIZE: '2' }),
        print: (line) => said.push(line),
      })
    await Promise.all(Array.from({ length: 5 }, run))
    expect(said.filter((line) => line === 'The database is up to date.')).toHaveLength(5)
    expect(said.filter((line) => line === 'migrated: 0001_foundation.sql')).toHaveLength(1)
    expect(said.filter((line) => line.includes('td_c1_'))).toHaveLength(1)
    said.length = 0
    await run()
    expect(said).toEqual(['The database is up to date.'])
  })

  describe('the first key appears on stderr', () => {
    const run = async (...args: string[]) => {
      const stderr = vi.spyOn(console, 'error').mockImplementation(() => {})
      const said: string[] = []
      const settings = () => testConfig({ DATABASE_URL: url, DATABASE_POOL_SIZE: '2' })
      const failure = await runProgram(args, { settings, print: (line) => said.push(line) }).then(
        () => null,
        (error: Error) => error.message,
      )
      const errors = stderr.mock.calls.map(([line]) => line)
      stderr.mockRestore()
      return { said, errors, failure }
    }
    const firstKey = [expect.stringMatching(/^API key of the first environment.*: td_c1_/)]

    test('in `diff --json`, whose output stays JSON', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'tidings-first-key-'))
      writeFileSync(join(folder, 'en.json'), JSON.stringify({ layoutId: 'plain', name: 'Plain' }))
      const { said, errors } = await run('diff', folder, '--json').finally(() => rmSync(folder, { recursive: true }))
      expect(errors).toEqual(firstKey)
      expect(JSON.parse(said.join('\n'))).toHaveProperty('summary')
    })

    test('in `compare`, also if it then fails', async () => {
      const other = ['--from-novu', '--url', 'http://127.0.0.1:1', '--key', 'old-key']
      const { said, errors, failure } = await run('compare', ...other, '--environment', 'nowhere')
      expect(errors).toEqual(firstKey)
      expect([said, failure]).toEqual([[], expect.stringContaining('There is no environment nowhere')])
    })
  })
})

describe('secrets reseal', () => {
  const run = async (settings: Record<string, string>, ...args: string[]) => {
    const said: string[] = []
    await runProgram(['secrets', ...args], { settings: () => config(settings), print: (line) => said.push(line) })
    return said.join('\n')
  }

  test('is refused while a running node lacks the new key, names that node, and changes nothing', async () => {
    const before = await listEncryptionKeys(h.admin)
    const refused = run({ ENCRYPTION_KEYS: keys(['t3', 3], ['t1', 1]) }, 'reseal')
    await expect(refused).rejects.toThrow(
      new RegExp(
        `^Nothing was resealed.*lack the key "t3": test on \\S+ \\(pid ${process.pid}, holds t1, t2, last seen`,
      ),
    )
    expect(await listEncryptionKeys(h.admin)).toEqual(before)
  })

  test('is refused while a running node has other bytes under the id of the new key, and changes nothing', async () => {
    const before = await listEncryptionKeys(h.admin)
    const refused = run({ ENCRYPTION_KEYS: keys(['t2', 9], ['t1', 1]) }, 'reseal')
    await expect(refused).rejects.toThrow(
      new RegExp(
        `^Nothing was resealed.*other bytes under the id "t2": test on \\S+ \\(pid ${process.pid}, holds t1, t2`,
      ),
    )
    expect(await listEncryptionKeys(h.admin)).toEqual(before)
  })

  test('a change of keys from end to end: added, resealed, old key gone', async () => {
    const env = await h.environment()
    await makeSendgrid(env)
    const both = { ENCRYPTION_KEYS: keys(['t2', 2], ['t1', 1]) }
    expect(await run(both, 'reseal')).toMatch(/integration: 1 resealed[\s\S]*sealed with "t2"\. No longer needed: t1\./)
    expect(await run(both, 'reseal')).toContain('sealed with "t2" already')
    const only = { ENCRYPTION_KEYS: keys(['t2', 2]) }
    await expect(started(only)).resolves.not.toThrow()
    const node = await h.node(only)
    const [shown] = (await client(sender(node.url), env.key).send('GET', '/v1/integrations')).body
    expect(shown.credentials.apiKey).toMatch(/^••••/)
    // The old key alone is no way back.
    await expect(started({ ENCRYPTION_KEYS: keys(['t1', 1]) })).rejects.toThrow('"t2"')
  })

  test.each([[], ['seal']])('%j is no command: the refusal names or shows the help', async (...args) => {
    await expect(run({}, ...args)).rejects.toThrow(/tidings secrets --help|^Usage: tidings secrets /)
  })
})
