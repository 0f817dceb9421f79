import { expect, test } from 'vitest'
import { relativeTime } from './time.tsx'

test('a time is told from now, in the largest unit that fits, to both sides', () => {
  const now = Date.parse('2026-03-01T12:00:00Z')
  const ago = [5_000, 59_999, 60_000, 3_540_000, 3_600_000, 86_400_000, 40 * 86_400_000, 800 * 86_400_000]
  expect(ago.map((ms) => relativeTime(now - ms, now))).toEqual([
    'just now',
    'just now',
    '1 min. ago',
    '59 min. ago',
    '1 hr. ago',
    'yesterday',
    'last mo.',
    '2 yr. ago',
  ])
  expect(relativeTime(now + 7_200_000, now)).toBe('in 2 hr.')
})
