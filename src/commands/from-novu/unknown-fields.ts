import { isPlainObject } from '../../lib/canonical-json.ts'
import type { Item } from './lists.ts'

/** Where something came from, when, and how it is doing there: it belongs to the other service. */
const theirs = [
  '_id',
  '_environmentId',
  '_organizationId',
  '__v',
  'slug',
  'origin',
  'type',
  'status',
  'issues',
  'variables',
  'createdAt',
  'updatedAt',
  'createdBy',
  'updatedBy',
  'deleted',
  'deletedAt',
  'deletedBy',
  // Of a service like this one.
  'version',
  'edition',
]

/** Fields with something in them that are neither carried nor told of elsewhere: nothing is dropped in silence. */
export function unknownFields(given: Item, known: readonly string[]): { field: string; why: string }[] {
  return Object.entries(given).flatMap(([field, value]) =>
    known.includes(field) || theirs.includes(field) || isEmpty(value) ? [] : [{ field, why: 'is not carried' }],
  )
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '' || value === false) return true
  if (Array.isArray(value)) return value.length === 0
  return isPlainObject(value) && Object.values(value).every(isEmpty)
}
