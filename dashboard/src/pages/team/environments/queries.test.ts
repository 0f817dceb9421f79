import { expect, test } from 'vitest'
import type { ListedEnvironment } from '../../../api/types.ts'
import { sourceOf } from './queries.ts'

const environment = (id: string, more: Partial<ListedEnvironment> = {}): ListedEnvironment => ({
  _id: id,
  _organizationId: 'o',
  name: id,
  identifier: `te_${id}`,
  slug: id,
  type: 'prod',
  color: '#000000',
  protected: false,
  isElsewhere: false,
  createdAt: '2026-03-01T12:00:00.000Z',
  ...more,
})

test('things are published from the parent, as long as one can go there', () => {
  const dev = environment('dev')
  const prod = environment('prod', { _parentId: 'dev' })
  expect(sourceOf([dev, prod], 'prod')).toBe(dev)
  expect(sourceOf([dev, prod], 'dev')).toBeUndefined()
  expect(sourceOf([prod], 'prod')).toBeUndefined()
  expect(sourceOf([environment('dev', { deletedAt: dev.createdAt }), prod], 'prod')).toBeUndefined()
  expect(sourceOf([environment('dev', { isElsewhere: true }), prod], 'prod')).toBeUndefined()
})
