import { expect, test } from 'vitest'
import { eventTypes, shareOf, subjects, verbOf, wantedWords, withTypes } from './event-types.ts'

const subject = (id: string) => {
  const found = subjects.find((it) => it.id === id)
  if (!found) throw new Error(id)
  return found
}

test('every event stands under its subject, once', () => {
  expect(subjects.map(({ id }) => id)).toEqual(['message', 'notification', 'preference', 'subscriber', 'workflow'])
  expect(subjects.flatMap(({ types }) => types)).toEqual(eventTypes)
  expect(verbOf('message.sent')).toBe('sent')
})

test('a subject is wanted whole, in part or not at all', () => {
  const people = subject('subscriber')
  expect(shareOf([], people)).toBe('none')
  expect(shareOf(['subscriber.created', 'message.sent'], people)).toBe('some')
  expect(shareOf(people.types, people)).toBe('all')
})

test('choosing keeps the order of the table and what this page does not know', () => {
  const some = withTypes(['workflow.created', 'order.lost'], ['message.read', 'message.sent'], true)
  expect(some).toEqual(['message.sent', 'message.read', 'workflow.created', 'order.lost'])
  expect(withTypes(some, ['message.sent', 'message.read'], false)).toEqual(['workflow.created', 'order.lost'])
  expect(withTypes(some, ['message.sent'], true)).toEqual(some)
})

test('what is wanted is said in short', () => {
  expect(wantedWords(null)).toBe('All events')
  expect(wantedWords(['message.sent', 'notification.completed'])).toBe('message.sent, notification.completed')
  expect(wantedWords([...subject('workflow').types, 'message.sent'])).toBe('workflow.*, message.sent')
  expect(wantedWords(subject('message').types.slice(0, 5))).toBe(
    'message.sent, message.failed, message.delivered and 2 more',
  )
})
