import { expect, test } from 'vitest'
import { wordsOfChange } from './use-role-notice.ts'

const environment = {
  id: 'e',
  name: 'Production',
  slug: 'production',
  color: '#fff',
  type: 'prod',
  protected: false,
} as const
const author = { environment, role: 'author', permissions: ['read', 'content'] } as const
type Role = Parameters<typeof wordsOfChange>[0]
const of = (more: Partial<Role>): Role => ({ ...author, permissions: [...author.permissions], ...more })

test('what one may do is said when it changes, and only then', () => {
  expect(wordsOfChange(of({}), of({}))).toBeNull()
  expect(wordsOfChange(of({}), of({ environment: { ...environment, protected: true } }))).toBeNull()
  expect(wordsOfChange(of({}), of({ role: 'admin', permissions: ['read', 'keys'] }))).toBe(
    'Somebody changed your role: in Production you are an admin now.',
  )
  expect(wordsOfChange(of({ role: 'author' }), of({ role: 'viewer', permissions: ['read'] }))).toMatch(/a viewer now/)
})

test('another environment is no change of a role', () => {
  expect(wordsOfChange(of({}), of({ environment: { ...environment, id: 'f' }, role: 'viewer' }))).toBeNull()
})
