import { expect, test } from 'vitest'
import { fieldsOf, sentenceOf } from './words.ts'

const said = (action: string, type: string, name?: string) => {
  const { did, what } = sentenceOf({ action, subject: { type, id: 'id-1', ...(name && { name }) } })
  return `${did} ${what}`
}

test('who did what reads as a sentence', () => {
  expect(said('workflows.patch', 'workflow', 'Receipt')).toBe('changed workflow Receipt')
  expect(said('api-keys.revoke', 'api-key', 'shop')).toBe('revoked API key shop')
  expect(said('members.invite', 'invitation', 'ada@example.com')).toBe('invited ada@example.com')
  expect(said('sends.pause', 'sends')).toBe('paused large send id-1')
  expect(said('environments.publish', 'publication', 'Development')).toBe('published from Development')
  expect(said('publications.restore', 'publication')).toBe('put back an earlier state')
})

test('what has no name is said by its id, and an unknown deed as it is called', () => {
  expect(said('things.turn-over', 'odd-thing')).toBe('turn over odd thing id-1')
})

test('three fields, and how many more', () => {
  const changes = ['name', 'active', 'tags', 'ttl', 'severity'].map((path) => ({ path }))
  expect(fieldsOf({ changes })).toBe('name, active, tags and 2 more')
  expect(fieldsOf({ changes: changes.slice(0, 1) })).toBe('name')
})
