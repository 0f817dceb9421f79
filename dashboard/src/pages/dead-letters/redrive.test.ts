import { describe, expect, test } from 'vitest'
import { inParts, redriveAll, type Work } from './redrive.ts'

/** What was shown, step by step, and what it ended with. */
async function run(total: number, parts: ({ redriven: number; hasMore: boolean } | Error)[], stopAfter = 99) {
  const shown: (Work | null)[] = []
  let asked = 0
  const ask = async () => {
    const part = parts[asked++]
    if (part instanceof Error) throw part
    if (!part) throw new Error('asked too often')
    return part
  }
  const fault = await redriveAll(total, ask, {
    isStopped: () => asked >= stopAfter,
    onWork: (work) => shown.push(work),
  })
  return { shown, fault, asked }
}

describe('redriving part by part', () => {
  test('goes on while there is more, and counts what was done', async () => {
    const { shown, fault, asked } = await run(5, [
      { redriven: 3, hasMore: true },
      { redriven: 2, hasMore: false },
    ])
    expect(shown).toEqual([
      { done: 0, total: 5, running: true },
      { done: 3, total: 5, running: true },
      { done: 5, total: 5, running: true },
      { done: 5, total: 5, running: false },
    ])
    expect({ fault, asked }).toEqual({ fault: null, asked: 2 })
  })

  test('more than was counted at first moves the end, not past it', async () => {
    const { shown } = await run(1, [
      { redriven: 1, hasMore: true },
      { redriven: 4, hasMore: false },
    ])
    expect(shown.at(-2)).toEqual({ done: 5, total: 5, running: true })
  })

  test('stops after the request under way', async () => {
    const { shown, asked } = await run(9, [{ redriven: 3, hasMore: true }], 1)
    expect(asked).toBe(1)
    expect(shown.at(-1)).toEqual({ done: 3, total: 3, running: false })
  })

  test('a fault ends it: what was done stays in sight, and nothing when nothing was', async () => {
    const broken = new Error('unreachable')
    const late = await run(5, [{ redriven: 3, hasMore: true }, broken])
    expect(late).toMatchObject({ fault: broken })
    expect(late.shown.at(-1)).toEqual({ done: 3, total: 5, running: false })
    expect((await run(5, [broken])).shown.at(-1)).toBeNull()
  })
})

test('chosen messages go in parts that the server takes, each once and all of them', async () => {
  const ids = Array.from({ length: 450 }, (_, index) => `m${index}`)
  const sent: string[][] = []
  const ask = inParts(ids, async ({ messageIds }) => {
    sent.push(messageIds)
    return { redriven: messageIds.length, hasMore: true }
  })
  const more: boolean[] = []
  for (let part = 0; part < 3; part++) more.push((await ask()).hasMore)
  expect(sent.map((part) => part.length)).toEqual([200, 200, 50])
  expect(sent.flat()).toEqual(ids)
  expect(more).toEqual([true, true, false])
})
