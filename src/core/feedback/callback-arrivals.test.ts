import { sql } from 'kysely'
import { pino } from 'pino'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Client, silentLog, useSharedHarness } from '../../../test/harness.ts'
import { makeSendgrid } from '../../../test/integration-samples.ts'
import type { Database, Env } from '../../store/database.ts'
import { findArrival } from '../../store/feedback/callback-arrivals.ts'
import { createArrivals } from './callback-arrivals.ts'

const h = useSharedHarness()
afterEach(() => void vi.useRealTimers())

const envOf = ({ environmentId, organizationId }: Client): Env => ({ environmentId, organizationId, keyId: '' })

/** Counts the writes; `isAway`: the database answers nobody. */
async function arrange() {
  const client = await h.environment()
  const { _id: id } = await makeSendgrid(client)
  const env = envOf(client)
  const seen = { writes: 0, isAway: false, warnings: [] as string[] }
  const write: Database['write'] = (of, work) => {
    seen.writes++
    if (seen.isAway) return Promise.reject(new Error('the database is away'))
    return h.ctx.database.write(of, work)
  }
  const log = pino({ level: 'warn' }, { write: (line: string) => void seen.warnings.push(line) })
  const arrivals = createArrivals({ write }, log)
  const last = () => h.ctx.database.read(env, (db) => findArrival(db, env, id))
  const tell = (word: string, at = new Date()) =>
    arrivals.told(env, id, [{ kind: 'other', name: word, messageId: null }], at)
  const refuse = (why: string, at = new Date()) => arrivals.refused(env, id, why, at)
  const word = async () => (await last())?.told?.[0]?.name
  return { client, env, id, seen, arrivals, last, tell, refuse, word }
}

describe('a call that came', () => {
  test('is noted at once; of those that follow, the last one within a second', async () => {
    const { seen, tell, word, arrivals } = await arrange()
    tell('first')
    expect(seen.writes).toBe(1)
    await expect.poll(word).toBe('first')
    for (const next of ['second', 'third', 'last']) tell(next)
    expect(await word()).toBe('first')
    const began = Date.now()
    await expect.poll(word, { timeout: 5_000 }).toBe('last')
    expect(Date.now() - began).toBeLessThan(3_000)
    expect(seen.writes).toBe(2)
    await arrivals.close()
    expect(seen.writes).toBe(2)
  })

  test('after a quiet second the next one is noted at once again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { seen, tell, arrivals } = await arrange()
    tell('first')
    vi.advanceTimersByTime(1_000)
    expect(seen.writes).toBe(1)
    tell('second')
    expect(seen.writes).toBe(2)
    tell('third')
    vi.advanceTimersByTime(999)
    expect(seen.writes).toBe(2)
    vi.advanceTimersByTime(1)
    expect(seen.writes).toBe(3)
    // The second of the third: a fourth waits for it too.
    tell('fourth')
    expect(seen.writes).toBe(3)
    vi.advanceTimersByTime(1_000)
    expect(seen.writes).toBe(4)
    vi.useRealTimers()
    await arrivals.close()
  })

  test('in a flood of a thousand takes a few writes, and the last one stays', async () => {
    const { seen, tell, refuse, last, word, arrivals } = await arrange()
    for (let n = 1; n <= 1_000; n++) {
      tell(`call ${n}`)
      refuse(`stranger ${n}`)
      if (n % 250 === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await arrivals.close()
    expect(seen.writes).toBeLessThanOrEqual(8)
    expect(await word()).toBe('call 1000')
    expect((await last())?.refused).toBe('stranger 1000')
  })

  test('believed or refused: each is noted beside the other', async () => {
    const { tell, refuse, last, arrivals } = await arrange()
    tell('good')
    refuse('no proof')
    await arrivals.close()
    expect(await last()).toEqual({
      told_at: expect.any(Date),
      told: [{ kind: 'other', name: 'good', messageId: null }],
      refused_at: expect.any(Date),
      refused: 'no proof',
    })
  })

  test('does not hold up the calls to another integration', async () => {
    const { seen, env, arrivals, tell, client } = await arrange()
    const other = await makeSendgrid(client)
    tell('mine')
    arrivals.told(env, other._id, [{ kind: 'delivered', messageId: null }], new Date())
    expect(seen.writes).toBe(2)
    await arrivals.close()
    const found = await h.ctx.database.read(env, (db) => findArrival(db, env, other._id))
    expect(found?.told).toEqual([{ kind: 'delivered', messageId: null }])
  })

  test('that another node noted later is not taken back', async () => {
    const { env, id, word, tell, arrivals } = await arrange()
    const node = createArrivals(h.ctx.database, silentLog())
    node.told(env, id, [{ kind: 'other', name: 'newer', messageId: null }], new Date())
    await node.close()
    tell('older', new Date(Date.now() - 60_000))
    await arrivals.close()
    expect(await word()).toBe('newer')
  })
})

describe('close', () => {
  test('writes what waits, waits until it is written, and leaves no timer', async () => {
    const { seen, tell, refuse, word, last, arrivals } = await arrange()
    const before = new Date(Date.now() - 1_000)
    tell('first', before)
    tell('waiting')
    refuse('first', before)
    refuse('waiting')
    await arrivals.close()
    expect(seen.writes).toBe(4)
    expect(await word()).toBe('waiting')
    expect((await last())?.refused).toBe('waiting')
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    expect(seen.writes).toBe(4)
  })
})

describe('a write that fails', () => {
  test('harms nothing: it is told in the log, and the next call is noted', async () => {
    const { seen, tell, word, arrivals } = await arrange()
    seen.isAway = true
    tell('lost')
    tell('lost too')
    await arrivals.close()
    expect(seen.warnings).toHaveLength(2)
    expect(seen.warnings[0]).toContain('the database is away')
    seen.isAway = false
    tell('noted')
    await arrivals.close()
    expect(await word()).toBe('noted')
  })

  test('since the integration is gone, leaves no row', async () => {
    const { client, id, tell, seen, arrivals, last } = await arrange()
    expect((await client.delete(`/v1/integrations/${id}`)).status).toBe(200)
    tell('late')
    await arrivals.close()
    expect(seen.warnings).toEqual([])
    expect(await last()).toBeNull()
    const { rows } = await sql`select 1 from callback_arrival where integration_id = ${id}`.execute(h.admin)
    expect(rows).toEqual([])
  })
})
