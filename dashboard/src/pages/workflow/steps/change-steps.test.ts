import { expect, test } from 'vitest'
import { stepOf } from '../../../test-data.ts'
import { lostSteps, moved, renamed } from './change-steps.ts'

const ids = (steps: readonly { stepId: string }[]) => steps.map(({ stepId }) => stepId)
const [a, b, c] = [stepOf('a'), stepOf('b', { when: { stepId: 'a', is: 'unread' } }), stepOf('c')]
const steps = [a, b, c]

test('a step moves up and down, and the list it came from stays', () => {
  expect(ids(moved(steps, 0, 2))).toEqual(['b', 'c', 'a'])
  expect(ids(moved(steps, 2, 0))).toEqual(['c', 'a', 'b'])
  expect(ids(steps)).toEqual(['a', 'b', 'c'])
})

test('what depends on a step follows it when it gets another id', () => {
  const [first, second, third] = renamed(steps, a, 'welcome')
  expect(first).toMatchObject({ stepId: 'welcome', slug: 'welcome', _id: 'id-of-a' })
  expect(second?.when).toEqual({ stepId: 'welcome', is: 'unread' })
  expect(third).toBe(c)
})

test('a step that depends on one that is gone, or comes after it, is found', () => {
  expect(lostSteps(steps)).toEqual([])
  expect(lostSteps(moved(steps, 0, 2))).toEqual(['b'])
  expect(lostSteps([b])).toEqual(['b'])
})
