import { expect, test } from 'vitest'
import { colors, freeColor } from './colors.ts'

test('a new environment gets a colour that no other has, as long as there is one', () => {
  expect(freeColor([])).toBe(colors[0].value)
  expect(freeColor(['#2563EB', '#d97706'])).toBe('#0f766e')
  expect(freeColor(colors.map(({ value }) => value))).toBe(colors[0].value)
})
