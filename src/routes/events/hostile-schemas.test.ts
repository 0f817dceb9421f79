import { describe, expect, test } from 'vitest'
import { longestBlock } from '../../../test/event-loop.ts'
import { bestOfFive } from '../../../test/fastest.ts'
import { type Client, useHarness } from '../../../test/harness.ts'
import { makeWorkflow } from '../../../test/pipeline.ts'

const h = useHarness()

/** The most that a tenant may hold up everybody else on the node. */
const mostMs = 250

const tooLong = /needs more than 1 s/
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)
const rules = (count: number) => Object.fromEntries(numbers(count).map((n) => [`p${n}`, { type: 'integer' }]))
const hostile: [name: string, schema: object, payload: object, told: RegExp | null][] = [
  ['a pattern that backtracks', { properties: { a: { pattern: '^(a+)+$' } } }, { a: `${'a'.repeat(26)}!` }, tooLong],
  [
    'the name of a property that backtracks',
    { patternProperties: { '^(a+)+$': { type: 'integer' } } },
    { [`${'a'.repeat(26)}!`]: 1 },
    tooLong,
  ],
  [
    'things that must all differ',
    { properties: { a: { uniqueItems: true } } },
    { a: numbers(8_000).map((n) => ({ n })) },
    null,
  ],
  [
    'as many faults as there is room for',
    { properties: { a: { items: { required: Object.keys(rules(480)), properties: rules(480) } } } },
    { a: numbers(4_000).map(() => ({})) },
    /must have required property 'p0'/,
  ],
  [
    'a long list for each of many values',
    { properties: { a: { items: { enum: numbers(12_000) } } } },
    { a: numbers(40_000).map(() => -1) },
    /allowed values/,
  ],
]

function event(payload: object) {
  return { name: 'hostile', to: 'ada', payload }
}

/** Another tenant's trigger, with a schema of its own that is asked too, again and again until `work` is done. */
async function meanwhile<T>(other: Client, work: Promise<T>): Promise<{ result: T; answered: number }> {
  let [open, answered] = [true, 0]
  const ended = work.finally(() => {
    open = false
  })
  while (open) {
    const reply = await other.post('/v1/events/trigger', { name: 'good', to: 'bob', payload: { code: 'AB12' } })
    expect(reply.body.status).toBe('processed')
    answered += 1
  }
  return { result: await ended, answered }
}

describe('payload schemas of a tenant', () => {
  test.each(hostile)(
    '%s: the node goes on, and others are answered',
    bestOfFive,
    async (_name, payloadSchema, payload, told) => {
      const [tenant, other] = [await h.environment(), await h.environment()]
      await makeWorkflow(tenant, 'hostile', { payloadSchema })
      await makeWorkflow(other, 'good', { payloadSchema: { properties: { code: { pattern: '^[A-Z]{2}\\d{2}$' } } } })
      const { blockedMs, result } = await longestBlock(() =>
        meanwhile(other, tenant.post('/v1/events/trigger/bulk', { events: [event(payload), event({})] })),
      )
      expect(blockedMs).toBeLessThan(mostMs)
      if (told === tooLong) expect(result.answered).toBeGreaterThan(2)
      const [first, second] = result.result.body
      if (told) expect(first).toMatchObject({ status: 'error', error: [expect.stringMatching(told)] })
      else expect(first.status).toBe('processed')
      expect(second.status).toBe('processed')
    },
  )

  test('a bulk of a hundred hostile events takes seconds, not a hundred times the limit', bestOfFive, async () => {
    const tenant = await h.environment()
    await makeWorkflow(tenant, 'hostile', { payloadSchema: { properties: { a: { pattern: '^(a+)+$' } } } })
    const events = numbers(100).map(() => event({ a: `${'a'.repeat(40)}!` }))
    const { blockedMs, result } = await longestBlock(() => tenant.post('/v1/events/trigger/bulk', { events }))
    expect(blockedMs).toBeLessThan(mostMs)
    const told = result.body.map(({ error }: { error: string[] }) => error[0])
    expect(told.filter((it: string) => tooLong.test(it))).toHaveLength(2)
    expect(told.filter((it: string) => /send this event by itself/.test(it))).toHaveLength(98)
    const explained = await tenant.post('/v1/events/explain', events[0])
    expect(explained.body.result).toMatchObject({ status: 'error', error: [expect.stringMatching(tooLong)] })
  })

  test('a workflow changed while its payload is judged: the new schema holds', async () => {
    const tenant = await h.environment()
    const schema = (pattern: string) => ({ payloadSchema: { properties: { a: { pattern } } } })
    await makeWorkflow(tenant, 'hostile', schema('^(a+)+$'))
    const before = h.ctx.renderer.judgePayloads
    let judged = 0
    h.ctx.renderer.judgePayloads = async (items, owner) => {
      judged += 1
      const verdicts = await before(items, owner)
      if (judged === 1) {
        h.ctx.renderer.judgePayloads = before
        expect((await tenant.patch('/v2/workflows/hostile', schema('^b$'))).status).toBe(200)
      }
      return verdicts
    }
    const headers = { 'idempotency-key': 'once' }
    const first = await tenant.post('/v1/events/trigger/bulk', { events: [event({ a: 'a' })] }, headers)
    expect(first.body[0].error).toEqual(['payload.a must match pattern "^b$"'])
    const again = await tenant.post('/v1/events/trigger/bulk', { events: [event({ a: 'a' })] }, headers)
    expect([again.body, again.headers.get('idempotency-replay')]).toEqual([first.body, 'true'])
  })

  test('saving a schema that is costly to compile holds up nobody', bestOfFive, async () => {
    const tenant = await h.environment()
    const anyOf = numbers(240).map((n) => ({ properties: { [`p${n}`]: { pattern: `^(x{${n}}|y{1,9}){1,9}$` } } }))
    const { blockedMs, result } = await longestBlock(async () => {
      const made = await tenant.post('/v2/workflows', {
        workflowId: 'wide',
        name: 'Wide',
        steps: [],
        payloadSchema: { anyOf: anyOf.slice(0, 120) },
      })
      const changed = await tenant.patch('/v2/workflows/wide', { payloadSchema: { anyOf } })
      return [made.status, changed.status]
    })
    expect(result).toEqual([201, 422])
    expect(blockedMs).toBeLessThan(mostMs)
  })
})
