import { expect, test } from 'vitest'
import { oneAtATime } from './one-at-a-time.ts'

/** Work that goes on until the test lets it end. */
function heldWork() {
  const held: PromiseWithResolvers<void>[] = []
  const ask = oneAtATime(() => {
    const one = Promise.withResolvers<void>()
    held.push(one)
    return one.promise
  })
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return { ask, held, settle }
}

test('news that come while the list is being asked for are asked for once more, together', async () => {
  const { ask, held, settle } = heldWork()
  const first = ask()
  expect(await Promise.all([ask(), ask(), ask()])).toEqual(['asked', 'asked', 'asked'])
  expect(held).toHaveLength(1)
  held[0]?.resolve()
  await settle()
  expect(held).toHaveLength(2)
  held[1]?.resolve()
  expect(await first).toBe('done')
  expect(held).toHaveLength(2)
})

test('work that failed does not stop the next', async () => {
  const { ask, held } = heldWork()
  const first = ask()
  held[0]?.reject(new Error('unreachable'))
  expect(await first).toBe('done')
  const second = ask()
  expect(held).toHaveLength(2)
  held[1]?.resolve()
  expect(await second).toBe('done')
})
