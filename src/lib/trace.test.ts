import { expect, test } from 'vitest'
import { createTracer, readTraceparent, type Span, spanIdOf, toTraceparent } from './trace.ts'

const [traceId, spanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']

test.each([
  ['sampled', `00-${traceId}-${spanId}-01`, { traceId, spanId, sampled: true }],
  ['not sampled', `00-${traceId}-${spanId}-00`, { traceId, spanId, sampled: false }],
  ['other flags', `00-${traceId}-${spanId}-03`, { traceId, spanId, sampled: true }],
  ['a later version with more behind', `01-${traceId}-${spanId}-01-more`, { traceId, spanId, sampled: true }],
  ['this version with more behind', `00-${traceId}-${spanId}-01-more`, null],
  ['the version that never is', `ff-${traceId}-${spanId}-01`, null],
  ['a trace of nothing', `00-${'0'.repeat(32)}-${spanId}-01`, null],
  ['a span of nothing', `00-${traceId}-${'0'.repeat(16)}-01`, null],
  ['capital letters', `00-${traceId.toUpperCase()}-${spanId}-01`, null],
  ['two headers', `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`, null],
  ['text', 'nonsense', null],
  ['nothing', undefined, null],
])('a traceparent: %s', (_name, header, read) => {
  expect(readTraceparent(header)).toEqual(read)
})

test('what is written is read again, and ids have the length of spans', () => {
  const context = { traceId, spanId: spanIdOf('deliver', 'x'), sampled: true }
  expect(readTraceparent(toTraceparent(context))).toEqual(context)
  expect(spanIdOf('a', 'b')).not.toBe(spanIdOf('a', 'c'))
})

function span(sampled = true): Span {
  const parent = { traceId, spanId, sampled }
  return { parent, spanId: spanIdOf('x'), name: 'accept', startMs: 1, endMs: 2, attributes: {} }
}

test('spans go in batches; closing hands over the rest; what does not arrive, or is too much, is dropped and counted', async () => {
  const batches: number[] = []
  const counts = { exported: 0, dropped: 0 }
  let arrives = true
  const tracer = createTracer({
    async send(spans) {
      batches.push(spans.length)
      if (!arrives) throw new Error('away')
      return true
    },
    counted: (result, count) => {
      counts[result] += count
    },
  })
  for (let n = 0; n < 5_100; n++) tracer.record(span())
  tracer.record(span(false))
  await tracer.close()
  expect(batches).toEqual(Array(10).fill(500))
  expect(counts).toEqual({ exported: 5_000, dropped: 100 })
  arrives = false
  tracer.record(span())
  await tracer.close()
  expect(counts).toEqual({ exported: 5_000, dropped: 101 })
})
