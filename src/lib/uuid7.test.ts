import { describe, expect, test } from 'vitest'
import { isUuid7, uuid7, uuid7Time } from './uuid7.ts'

describe('uuid7', () => {
  test.each([0, 1, 1_700_000_000_000, 1_735_689_599_999, 2 ** 48 - 1])('tells the time it was made at: %i', (ms) => {
    const id = uuid7(new Date(Math.min(ms, 8.64e15)))
    expect(isUuid7(id)).toBe(true)
    expect(uuid7Time(id).getTime()).toBe(ms)
  })

  test('ids of later milliseconds sort after those of earlier ones', () => {
    const ids = [5, 6, 255, 256, 65_536, 2 ** 40].map((ms) => uuid7(new Date(ms)))
    expect(ids.toSorted()).toEqual(ids)
  })

  test('20,000 ids of one request ascend and differ: its rows keep its order', () => {
    const now = new Date()
    const ids = Array.from({ length: 20_000 }, () => uuid7(now))
    expect(firstOutOfOrder(ids)).toBe(-1)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('ids of one request ascend although requests of other milliseconds make theirs in between', () => {
    const [early, late] = [new Date(1_700_000_000_000), new Date(1_700_000_000_001)]
    const ids = Array.from({ length: 200 }, () => {
      uuid7(late)
      return uuid7(early)
    })
    expect(firstOutOfOrder(ids)).toBe(-1)
  })
})

function firstOutOfOrder(ids: string[]): number {
  return ids.findIndex((id, i) => i > 0 && id <= (ids[i - 1] ?? ''))
}

describe('isUuid7', () => {
  const id = '01890a5d-ac96-774b-bcce-b302099a8057'
  test.each([id, id.toUpperCase()])('takes %s', (text) => expect(isUuid7(text)).toBe(true))
  test.each([
    '',
    'x',
    id.replaceAll('-', ''),
    `${id} `,
    `${id}\n`,
    ` ${id}`,
    `{${id}}`,
    id.replace('774b', '474b'),
    id.replace('bcce', 'ccce'),
    id.replace('0', 'g'),
    id.slice(1),
  ])('refuses %j', (text) => expect(isUuid7(text)).toBe(false))
})
