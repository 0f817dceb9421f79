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
    const grown = run((minute) => ({
      connections: 40 + minute / 4,
      'queue MB': 5 + minute / 2,
      'queue dead': minute * 200,
    }))
    expect(verdicts(grown)).toEqual({ connections: false, 'queue MB': false, 'queue dead': false })
    const still = run((minute) => ({
      connections: 40,
      'queue MB': minute === 60 ? 80 : 5,
      'queue dead': (minute % 5) * 900,
    }))
    expect(verdicts(still)).toEqual({ connections: true, 'queue MB': true, 'queue dead': true })
  })

  test('minutes without a figure are passed over, and what may grow is not judged', () => {
    const samples = run((minute) => ({ connections: minute % 3 === 0 ? null : 40, acknowledged: minute * 9_600 }))
    expect(verdicts(samples)).toEqual({ connections: true })
  })
})
