import { expect, test } from 'vitest'
import { integrationOf } from '../../test-data.ts'
import { inOrder } from './queries.ts'

test('integrations stand as deliveries try them: the primary, the active by age, then the rest', () => {
  const all = [
    integrationOf({ _id: 'off', active: false }),
    integrationOf({ _id: 'old' }),
    integrationOf({ _id: 'young' }),
    integrationOf({ _id: 'first', primary: true }),
  ]
  expect(inOrder(all).map(({ _id }) => _id)).toEqual(['first', 'old', 'young', 'off'])
})
