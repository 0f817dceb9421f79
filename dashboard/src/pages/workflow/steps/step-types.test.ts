import { expect, test } from 'vitest'
import { stepOf } from '../../../test-data.ts'
import { summaryOf } from './step-types.ts'

type Kind = Parameters<typeof stepOf>[1]

test.each<[string, NonNullable<Kind>['type'], Record<string, unknown>]>([
  ['Hello', 'email', { subject: 'Hello', body: 'Long text' }],
  ['Only text', 'in_app', { body: 'Only text' }],
  ['Code 1', 'sms', { subject: 'no', body: 'Code 1' }],
  ['1 hour', 'delay', { type: 'regular', amount: 1, unit: 'hours' }],
  ['2 days', 'delay', { amount: 2, unit: 'days' }],
  ['until payload.at', 'delay', { type: 'scheduled', delayPath: 'payload.at' }],
  ['until 0 9 * * *', 'delay', { type: 'timed', cron: '0 9 * * *' }],
  ['30 minutes, by payload.postId', 'digest', { amount: 30, unit: 'minutes', digestKey: 'payload.postId' }],
  ['at 09:00', 'digest', { type: 'timed', timed: { atTime: '09:00' } }],
  ['at set times', 'digest', { type: 'timed' }],
  ['3 in 1 day', 'throttle', { threshold: 3, amount: 1, unit: 'days' }],
  ['until payload.quiet', 'throttle', { type: 'dynamic', dynamicKey: 'payload.quiet' }],
  ['not set yet', 'delay', {}],
])('a step says what it does in a line: %s', (line, type, controlValues) => {
  expect(summaryOf(stepOf('a', { ...(type && { type }), controlValues }))).toBe(line)
})
