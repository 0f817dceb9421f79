import { describe, expect, test } from 'vitest'
import type { WorkflowSummary } from '../../api/types.ts'
import { chipsOf, listOf, queryOf, textOf } from './filter.ts'

const workflows = [{ _id: 'w1', workflowId: 'order-shipped', name: 'Order shipped' }] as WorkflowSummary[]

test('several values stand in the address with commas, and are read back without spaces and gaps', () => {
  expect(listOf(' sms, email,, ')).toEqual(['sms', 'email'])
  expect(listOf(undefined)).toEqual([])
  expect(textOf(['sms', 'email'])).toBe('sms,email')
  expect(textOf([])).toBeUndefined()
})

describe('what is asked of the server', () => {
  test('a workflow may be named by either of its ids; an unknown one goes as it is', () => {
    expect(queryOf({ templates: 'order-shipped,w1,gone' }, workflows, undefined).templates).toEqual([
      'w1',
      'w1',
      'gone',
    ])
  })

  test('a range goes before a typed beginning', () => {
    const typed = { after: '2026-03-01T10:00:00Z', before: '2026-03-02T10:00:00Z' }
    expect(queryOf(typed, [], undefined)).toMatchObject({
      after: '2026-03-01T10:00:00.000Z',
      before: '2026-03-02T10:00:00.000Z',
    })
    expect(queryOf(typed, [], '2026-03-09T00:00:00.000Z').after).toBe('2026-03-09T00:00:00.000Z')
  })

  test('what is no time goes to the server as it is: it says what is wrong', () => {
    expect(queryOf({ after: 'yesterday' }, [], undefined).after).toBe('yesterday')
  })

  test('an outcome is one of those the server knows', () => {
    expect(queryOf({ outcome: 'failed' }, [], undefined).outcome).toBe('failed')
    expect(queryOf({ outcome: 'lost' }, [], undefined).outcome).toBeUndefined()
    expect(chipsOf({ outcome: 'failed' }, [])).toMatchObject([{ label: 'Outcome', value: 'A step failed' }])
  })

  test('every filter of the address is asked for', () => {
    const all = { search: 's', channels: 'sms', severity: 'high', subscriberIds: 'a,b', emails: 'e' }
    const more = { transactionId: 't', topicKey: 'k', contextKeys: 'tenant:x' }
    expect(queryOf({ ...all, ...more }, [], undefined)).toMatchObject({
      search: 's',
      channels: ['sms'],
      severity: ['high'],
      subscriberIds: ['a', 'b'],
      emails: ['e'],
      transactionId: 't',
      topicKey: 'k',
      contextKeys: ['tenant:x'],
    })
  })
})

test('what is filtered by is told in names, not in ids; the search has its own field', () => {
  const chips = chipsOf({ search: 'x', templates: 'w1', channels: 'in_app,sms', range: 'day' }, workflows)
  expect(chips).toEqual([
    { name: 'channels', label: 'Channel', value: 'In-app or SMS' },
    { name: 'templates', label: 'Workflow', value: 'Order shipped' },
    { name: 'range', label: 'Time', value: 'Last 24 hours' },
  ])
})
