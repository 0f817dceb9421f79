import { expect, test } from 'vitest'
import { ApiFault } from '../../api/fault.ts'
import { faultsOf, isSame, toDraft, toInput } from './draft.ts'

const draft = toDraft({
  name: 'Brand',
  controls: { values: { email: { body: '<p>{{content}}</p>', editorType: 'html' } } },
})

test('a save does not say whether it is the default: somebody may have switched it meanwhile', () => {
  expect(toInput(draft)).toEqual({
    name: 'Brand',
    controlValues: { email: { body: '<p>{{content}}</p>', editorType: 'html' } },
  })
})

test('space around the name is no change, everything else is', () => {
  expect(isSame(draft, { ...draft, name: ' Brand ' })).toBe(true)
  expect(isSame(draft, { ...draft, name: 'Brands' })).toBe(false)
  expect(isSame(draft, { ...draft, body: '{{content}}' })).toBe(false)
  expect(isSame(draft, { ...draft, editorType: 'block' })).toBe(false)
})

test('what the server finds wrong stands at its field', () => {
  const fault = new ApiFault(422, {
    errors: {
      'controlValues.email.body': { messages: ['has no place for the body'] },
      name: { messages: ['is long'] },
    },
  })
  expect(faultsOf(fault)).toEqual({ body: 'has no place for the body', name: 'is long' })
  expect(faultsOf(null)).toEqual({})
})
