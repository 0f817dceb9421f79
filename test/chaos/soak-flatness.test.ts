import { describe, expect, test } from 'vitest'
import { times } from '../../chaos/lib/parallel.ts'
import { judgeFlatness } from '../../chaos/soak/flatness.ts'
import type { Sample } from '../../chaos/soak/watch.ts'

/** One sample a minute for two hours. */
const run = (figures: (minute: number) => Record<string, number | null>): Sample[] =>
  times(120, (minute) => ({ seconds: minute * 60, ...figures(minute) }))

const verdicts = (samples: Sample[]) => Object.fromEntries(judgeFlatness(samples).map((it) => [it.what, it.isFlat]))

describe('flat is what the last quarter does not show more of than the first', () => {
  test('memory that rises while it warms up, and then goes up and down, is flat', () => {
    const samples = run((minute) => ({ 'worker-kept MB': minute < 9 ? 80 + minute * 10 : 170 + (minute % 7) * 3 }))
    expect(verdicts(samples)).toEqual({ 'worker-kept MB': true })
  })

  test('a megabyte a minute is not', () => {
    const [flat] = judgeFlatness(run((minute) => ({ 'api-kept MB': 150 + minute })))
    expect(flat).toMatchObject({ what: 'api-kept MB', isFlat: false, perHour: expect.closeTo(60) })
  })

  test('connections, queue tables and their dead rows', () => {
    const grown = run((n) => ({ connections: 40 + n / 4, 'queue MB': 5 + n, 'queue dead': n * n * 2 }))
    expect(verdicts(grown)).toEqual({ connections: false, 'queue MB': false, 'queue dead': false })
    const still = run((n) => ({ connections: 40, 'queue MB': n === 90 ? 80 : 5, 'queue dead': (n % 5) * 900 }))
    expect(verdicts(still)).toEqual({ connections: true, 'queue MB': true, 'queue dead': true })
  })

  test('done tasks stay for an hour: until then a queue grows, and from then on it may not', () => {
    const samples = run((minute) => ({ 'queue MB': Math.min(minute, 62) * 3, 'queue rows': minute * 2_000 }))
    expect(verdicts(samples)).toEqual({ 'queue MB': true, 'queue rows': false })
    expect(verdicts(samples.slice(0, 60))).toEqual({})
  })

  test('minutes without a figure are passed over, and what may grow is not judged', () => {
    const samples = run((minute) => ({ connections: minute % 3 === 0 ? null : 40, acknowledged: minute * 9_600 }))
    expect(verdicts(samples)).toEqual({ connections: true })
  })
})
