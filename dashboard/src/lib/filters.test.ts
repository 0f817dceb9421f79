import { expect, test } from 'vitest'
import { withChanges } from './filters.ts'

test('a filter that is set, changed or emptied leaves the others in the address as they are', () => {
  expect(withChanges({ channel: 'sms', step: 'a' }, { channel: 'email' })).toEqual({ channel: 'email', step: 'a' })
  expect(withChanges({ channel: 'sms', step: 'a' }, { channel: undefined })).toEqual({ step: 'a' })
  expect(withChanges({ channel: 'sms' }, { channel: '' })).toEqual({})
  expect(withChanges({}, { search: 'ada' })).toEqual({ search: 'ada' })
})
