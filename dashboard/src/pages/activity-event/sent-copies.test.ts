import { expect, test } from 'vitest'
import type { SentMessage } from '../../api/types.ts'
import { copiesOf, copyWords } from './sent-copies.ts'

const message = (change: Partial<SentMessage>): SentMessage => ({
  _id: 'm1',
  jobId: 'j1',
  stepId: 's1',
  channel: 'email',
  status: 'sent',
  content: '<p>Hello</p>',
  cta: {},
  createdAt: '2026-11-18T08:00:00.000Z',
  updatedAt: '2026-11-18T08:00:00.000Z',
  attempts: [],
  ...change,
})

test('only e-mails have a copy to look at, and only while their content is kept', () => {
  const kept = message({ html: '<p>Hello</p>' })
  expect(copiesOf([kept, message({ channel: 'sms' }), message({ content: '', html: '' })])).toEqual([kept])
})

test('the link says whether it went out, and of several to whom', () => {
  expect(copyWords(message({}), false)).toBe('See what was sent')
  expect(copyWords(message({ to: 'ada@example.com' }), true)).toBe('See what was sent to ada@example.com')
  expect(copyWords(message({ status: 'error' }), false)).toBe('See what was to be sent')
})
