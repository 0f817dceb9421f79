import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

test('one has so many in hand and the rest wait in order; another does not wait for them; what fails gives its turn back', async () => {
  const turns = createTurns(2)
  const order: string[] = []
  const ends = new Map<string, () => void>()
  const begin = (line: string, name: string) =>
    turns
      .run(line, async () => {
        order.push(name)
        await new Promise<void>((resolve) => ends.set(name, resolve))
        if (name === 'b') throw new Error('b failed')
      })
      .catch(() => order.push(`${name} failed`))
  const all = [begin('noisy', 'a'), begin('noisy', 'b'), begin('noisy', 'c'), begin('noisy', 'd')]
  all.push(begin('quiet', 'q'))
  await expect.poll(() => order).toEqual(['a', 'b', 'q'])
  ends.get('b')?.()
  await expect.poll(() => order).toEqual(['a', 'b', 'q', 'c', 'b failed'])
  ends.get('a')?.()
  await expect.poll(() => order.at(-1)).toBe('d')
  for (const end of ends.values()) end()
  await Promise.all(all)
  const [first, second] = [begin('noisy', 'e'), begin('noisy', 'f')]
  await expect.poll(() => order.slice(-2)).toEqual(['e', 'f'])
  for (const end of ends.values()) end()
  await Promise.all([first, second])
})
