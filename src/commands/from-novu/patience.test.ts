import { describe, expect, test } from 'vitest'
import { type Headers, NotWorthAnother } from '../../egress/call-server.ts'
import { askedToWait, createPatience, Stopped } from './patience.ts'

const reply = (status: number, headers: Headers = {}) => ({ status, headers, body: {} })
const now = 1_800_000_000_000

test.each<[string, number, Headers, number | null]>([
  ['nothing is said', 200, {}, null],
  ['seconds', 429, { 'retry-after': '7' }, 7_000],
  ['a date', 429, { 'retry-after': new Date(now + 9_000).toUTCString() }, 9_000],
  ['a date that is over', 503, { 'retry-after': new Date(now - 9_000).toUTCString() }, 0],
  ['nonsense', 429, { 'retry-after': 'soon' }, null],
  ['more than an hour is an hour', 429, { 'retry-after': '999999999' }, 3_600_000],
  ['the budget is used up, by seconds', 200, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '3' }, 3_000],
  [
    'the budget is used up, by a time',
    200,
    { 'ratelimit-remaining': '0', 'ratelimit-reset': String(now / 1000 + 4) },
    4_000,
  ],
  ['the budget is used up, by milliseconds', 429, { 'x-ratelimit-reset': String(now + 5_000) }, 5_000],
  ['there is some left', 200, { 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': '3' }, null],
])('how long a server asks to wait: %s', (_what, status, headers, ms) => {
  expect(askedToWait(reply(status, headers), now)).toBe(ms)
})

describe('patience', () => {
  const open = (lanes = 8) => {
    const controller = new AbortController()
    return { controller, patience: createPatience({ lanes, stop: controller.signal, firstWaitMs: 1 }) }
  }
  /** One answer after the other; the last one again and again. */
  const answers = (...list: (number | Error)[]) => {
    let at = 0
    return async () => {
      const it = list[Math.min(at++, list.length - 1)]
      if (it instanceof Error) throw it
      return reply(it ?? 200)
    }
  }

  test('failures that pass are tried again, others are told', async () => {
    const { patience } = open()
    expect((await patience.call(answers(503, new Error('cut'), 500, 200))).status).toBe(200)
    expect(patience.counts).toMatchObject({ calls: 4, retries: 3 })
    expect((await patience.call(answers(404))).status).toBe(404)
  })

  test('what stays away is given up after seven tries', async () => {
    const { patience } = open()
    expect((await patience.call(answers(500))).status).toBe(500)
    await expect(patience.call(answers(new Error('refused')))).rejects.toThrow('refused')
    expect(patience.counts.calls).toBe(14)
  })

  test.each<[string, Headers]>([
    ['nothing', { 'retry-after': '0' }],
    ['less than nothing', { 'retry-after': '-5' }],
    ['until a time that is over', { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }],
    ['until a reset that is over', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1500000000' }],
    ['a moment', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '0.01' }],
  ])('to be told to wait for %s is a failure as any other', async (_what, headers) => {
    const { patience } = open()
    expect((await patience.call(async () => reply(429, headers))).status).toBe(429)
    expect(patience.counts.calls).toBe(7)
  })

  test('an answer that would be no other is not asked for again', async () => {
    const { patience } = open()
    await expect(patience.call(answers(new NotWorthAnother('too large')))).rejects.toThrow('too large')
    expect(patience.counts.calls).toBe(1)
  })

  test('when one call is told to wait, the others wait too', async () => {
    const { patience } = open()
    const times: number[] = []
    let isFirst = true
    const startedAt = performance.now()
    const call = () =>
      patience.call(async () => {
        if (isFirst) {
          isFirst = false
          return reply(429, { 'retry-after': '1' })
        }
        times.push(performance.now() - startedAt)
        return reply(200)
      })
    const first = call()
    await new Promise((resolve) => setTimeout(resolve, 20))
    await Promise.all([first, call(), call()])
    expect(Math.min(...times)).toBeGreaterThan(900)
    expect(patience.counts.retries).toBe(1)
  })

  test('at most so many at a time', async () => {
    const { patience } = open(3)
    let [running, most] = [0, 0]
    const work = async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setTimeout(resolve, 5))
      running -= 1
      return reply(200)
    }
    await Promise.all(Array.from({ length: 20 }, () => patience.call(work)))
    expect(most).toBe(3)
  })

  test('whoever is stopped while it waits ends at once', async () => {
    const { patience, controller } = open()
    const waiting = patience.call(async () => reply(429, { 'retry-after': '600' }))
    await new Promise((resolve) => setTimeout(resolve, 20))
    controller.abort()
    await expect(waiting).rejects.toThrow(Stopped)
    await expect(patience.call(answers(200))).rejects.toThrow(Stopped)
  })
})
