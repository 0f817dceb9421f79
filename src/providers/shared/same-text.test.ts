import { expect, test } from 'vitest'
import { sameText } from './same-text.ts'

test('texts are the same, whatever their length', () => {
  expect(sameText('geheim–1', 'geheim–1')).toBe(true)
  expect(sameText('geheim–1', 'geheim–2')).toBe(false)
  expect(sameText('geheim', 'geheim–1')).toBe(false)
})
