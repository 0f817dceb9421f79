import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { deterministicId, orderedId } from './deterministic-id.ts'
import { isUuid7, uuid7, uuid7Time } from './uuid7.ts'

const march = new Date('2024-03-01T10:00:00.000Z')
const parent = '018df9a1-2c00-7abc-8def-0123456789ab'
const times = fc.date({ min: new Date(0), max: new Date(2 ** 48 - 1), noInvalidDate: true })
const parts = fc.array(fc.string({ unit: 'binary' }), { maxLength: 4 })

// Computed by another program. These must never change: rows made before an upgrade must be found after it.
test.each<[Date | string, string[], string]>([
  [parent, ['job', 'a'], '018df9a1-2c00-72dd-b238-ef077af8703e'],
  [parent.toUpperCase(), ['job', 'a'], '018df9a1-2c00-72dd-b238-ef077af8703e'],
  [march, ['a', 'bc'], '018df974-d500-7531-8a58-788781ab25d5'],
  [march, [], '018df974-d500-7e3b-8c44-298fc1c149af'],
  [new Date(0), ['ü😀'], '00000000-0000-78b1-98fa-fd39cd565438'],
  [new Date(2 ** 48 - 1), [''], 'ffffffff-ffff-7ba7-a8b3-31fd86cec803'],
])('%s and %j always give %s', (time, texts, id) => {
  expect(deterministicId(time, ...texts)).toBe(id)
})

test('it is a lower-case UUIDv7 of the given time, and the same again', () => {
  fc.assert(
    fc.property(times, parts, (time, texts) => {
      const id = deterministicId(time, ...texts)
      expect(isUuid7(id)).toBe(true)
      expect(id).toBe(id.toLowerCase())
      expect(uuid7Time(id)).toEqual(time)
      expect(deterministicId(new Date(time), ...texts)).toBe(id)
    }),
  )
})

test('the time of an id is as good as the Date, whatever else the id says', () => {
  fc.assert(
    fc.property(times, parts, (time, texts) => {
      const id = deterministicId(time, ...texts)
      expect(deterministicId(uuid7(time), ...texts)).toBe(id)
      expect(deterministicId(id, ...texts)).toBe(id)
    }),
  )
})

test('other parts give another id', () => {
  fc.assert(
    fc.property(parts, parts, (one, other) => {
      fc.pre(JSON.stringify(one) !== JSON.stringify(other))
      expect(deterministicId(march, ...one)).not.toBe(deterministicId(march, ...other))
    }),
  )
})

test('where one part ends and the next begins matters', () => {
  const lists = [['a', 'bc'], ['ab', 'c'], ['abc'], ['', 'abc'], ['abc', ''], [], [''], ['', ''], ['1:a'], ['1', 'a']]
  expect(new Set(lists.map((texts) => deterministicId(march, ...texts))).size).toBe(lists.length)
})

test('a hundred thousand siblings do not collide, and use every variant', () => {
  const ids = new Set(Array.from({ length: 100_000 }, (_, at) => deterministicId(parent, 'job', `${at}`)))
  expect(ids.size).toBe(100_000)
  expect(new Set([...ids].map((id) => id.charAt(19)))).toEqual(new Set('89ab'))
})

describe('orderedId', () => {
  test('always gives the same, and never another one', () => {
    const event = '018df9a1-2c00-7630-8def-0123456789ab'
    expect(orderedId(event, event, 'message', 'a')).toBe(orderedId(event, event.toUpperCase(), 'message', 'a'))
    expect(orderedId(event, event, 'message', 'a')).toMatch(/^018df9a1-2c00-763/)
  })

  test('what comes of the events of one call sorts as they do, at their time and at a later one', () => {
    fc.assert(
      fc.property(times, times, parts, (time, later, texts) => {
        const events = Array.from({ length: 100 }, (_, place) => uuid7(time, place))
        expect(events).toEqual(events.toSorted())
        for (const at of [later, events]) {
          const ids = events.map((event, n) =>
            orderedId(Array.isArray(at) ? (events[n] ?? '') : at, event, event, ...texts),
          )
          expect(ids).toEqual(ids.toSorted())
          expect(ids.every(isUuid7)).toBe(true)
          expect(ids.map(uuid7Time)).toEqual(events.map(() => (Array.isArray(at) ? time : at)))
        }
      }),
      { numRuns: 20 },
    )
  })
})

test.each([
  'not an id',
  '',
  '018df9a1-2c00-4abc-8def-0123456789ab',
  new Date(Number.NaN),
  new Date(-1),
  new Date(2 ** 48),
])('%s has no time to take', (time) => {
  expect(() => deterministicId(time, 'a')).toThrow(RangeError)
})
