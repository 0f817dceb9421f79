import { expect, test } from 'vitest'
import { formFields } from './form-fields.ts'

test('texts stay, the rest becomes text, what is not set is left out', () => {
  const fields = { to: '+1', empty: '', count: 3, flash: false, list: [1, 'a'], none: undefined, nothing: null }
  expect(formFields(fields)).toEqual({ to: '+1', empty: '', count: '3', flash: 'false', list: '[1,"a"]' })
})
