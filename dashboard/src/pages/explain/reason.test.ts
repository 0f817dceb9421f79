import { describe, expect, test } from 'vitest'
import { mendOf, sentenceOf } from './reason.ts'
import type { ExplainedStep } from './recipient.ts'

const step = (fields: Partial<ExplainedStep>): ExplainedStep => ({
  stepId: 's',
  type: 'email',
  outcome: 'send',
  ...fields,
})
const nameOf = (identifier: string) => ({ ses: 'Amazon', sendgrid: 'SendGrid' })[identifier] ?? identifier

describe('the reason of a step', () => {
  test('that would be sent: through which integration, and which come after it, each once', () => {
    expect(sentenceOf(step({ integrations: ['ses', 'sendgrid', 'ses', 'own'] }), nameOf)).toBe(
      'Through Amazon, then SendGrid, own.',
    )
    expect(sentenceOf(step({ integrations: ['ses'] }), nameOf)).toBe('Through Amazon.')
    expect(sentenceOf(step({ type: 'in_app' }), nameOf)).toBe('Straight into the feed.')
  })

  test('that would wait: until when', () => {
    const until = '2026-03-01T12:00:00Z'
    expect(sentenceOf(step({ outcome: 'delay', until }), nameOf)).toMatch(/^Until .*2026.*\.$/)
    expect(sentenceOf(step({ outcome: 'defer', until, why: 'Hours of rest' }), nameOf)).toMatch(
      /^Hours of rest, until /,
    )
  })

  test('that would be skipped: the words of the server', () => {
    expect(sentenceOf(step({ outcome: 'skip', why: 'Turned off' }), nameOf)).toBe('Turned off.')
    expect(sentenceOf(step({ outcome: 'skip' }), nameOf)).toBe('')
  })

  test('that depends on another: on which, and what comes then or stops it anyway', () => {
    const dependsOn = { stepId: 'inbox', is: 'unread' } as const
    const why = 'Only if step inbox is unread'
    expect(sentenceOf(step({ outcome: 'wait', why, dependsOn, integrations: ['ses'] }), nameOf)).toBe(
      'Only if step inbox is unread; then through Amazon.',
    )
    expect(sentenceOf(step({ outcome: 'skip', why: 'Turned off', dependsOn }), nameOf)).toBe(
      'Turned off. It also needs step inbox to be unread.',
    )
  })
})

describe('where to go to change it', () => {
  test.each([
    ['No active integration', '/integrations?channel=email'],
    ['On the suppression list', '/suppressions?channel=email'],
    ['The subscriber does not have an e-mail address', '/subscribers/a%2Fb'],
    ['Outside the schedule', '/subscribers/a%2Fb'],
    ['turned off by the subscriber', '/subscribers/a%2Fb'],
    ['A condition does not hold', '/workflows/w'],
  ])('%s', (why, href) => {
    expect(mendOf(step({ outcome: 'skip', why }), 'a/b', 'w')?.href).toBe(href)
  })

  test('nowhere, when nothing is wrong or nothing is said', () => {
    expect(mendOf(step({ why: 'No active integration' }), 'a', 'w')).toBeNull()
    expect(mendOf(step({ outcome: 'fail' }), 'a', 'w')).toBeNull()
  })
})
