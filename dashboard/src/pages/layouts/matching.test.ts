import { expect, test } from 'vitest'
import { matching } from './matching.ts'

const layouts = [
  { name: 'Winter', layoutId: 'seasonal', isDefault: false },
  { name: 'Brand', layoutId: 'brand', isDefault: true },
  { name: 'Plain', layoutId: 'plain', isDefault: false },
]
const idsOf = (query: string) => matching(layouts, query).map(({ layoutId }) => layoutId)

test('the default one comes first, then by name', () => {
  expect(idsOf('')).toEqual(['brand', 'plain', 'seasonal'])
})

test('letters of the name or of the id find it, in any case', () => {
  expect(idsOf('SEAS')).toEqual(['seasonal'])
  expect(idsOf('win')).toEqual(['seasonal'])
  expect(idsOf(' an ')).toEqual(['brand'])
  expect(idsOf('xyz')).toEqual([])
})
