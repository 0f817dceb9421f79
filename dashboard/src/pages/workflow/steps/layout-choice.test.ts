import { expect, test } from 'vitest'
import { choiceOf, choicesOf, layoutOf, withChoice } from './layout-choice.ts'

const brand = { layoutId: 'brand', name: 'Brand', isDefault: true }
const none = { layoutId: 'none', name: 'Odd', isDefault: false }

test('a choice is read back as it was made: the default says nothing, none is null', () => {
  expect(withChoice({ body: 'x', layoutId: 'brand' }, '')).toEqual({ body: 'x' })
  expect(withChoice({ body: 'x' }, 'none')).toEqual({ body: 'x', layoutId: null })
  // A layout may be called so.
  expect(withChoice({}, 'id:none')).toEqual({ layoutId: 'none' })
  for (const choice of ['', 'none', 'id:none', 'id:brand']) expect(choiceOf(withChoice({}, choice))).toBe(choice)
})

test('the list names the default, and a layout that is gone', () => {
  expect(choicesOf([brand], { layoutId: 'old' }).map(({ label }) => label)).toEqual([
    'The default: Brand',
    'No layout',
    'Brand',
    'old, which is not there',
  ])
  expect(choicesOf([], {})[0]?.label).toBe('The default: there is none now')
})

test('the layout that a mail stands in', () => {
  const layouts = [none, brand]
  expect(layoutOf(layouts, {})).toBe(brand)
  expect(layoutOf(layouts, { layoutId: null })).toBeUndefined()
  expect(layoutOf(layouts, { layoutId: 'none' })).toBe(none)
  expect(layoutOf(layouts, { layoutId: 'gone' })).toBeUndefined()
  expect(layoutOf([none], {})).toBeUndefined()
})
