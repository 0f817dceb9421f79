import { expect, test } from 'vitest'
import { aboutOf, activityOf } from './about.ts'

const event = (data: Record<string, unknown>) => ({ type: 't', timestamp: '', environmentId: 'e', data })

test('a delivery says whom and what it is about, or its id where its body does not', () => {
  expect(aboutOf({ _id: 'd1', event: event({ workflowId: 'order', subscriberId: 'ada', name: 'x' }) })).toBe(
    'ada · order',
  )
  expect(aboutOf({ _id: 'd1', event: event({ subscriberId: 7, workflowId: null }) })).toBe('d1')
})

test('it leads to its event, an e-mail to its stored copy', () => {
  expect(activityOf({ notificationId: 'n1', messageId: 'm1', channel: 'email' })).toBe('/activity/n1?sent=m1')
  expect(activityOf({ notificationId: 'n1', messageId: 'm1', channel: 'sms' })).toBe('/activity/n1')
  expect(activityOf({ notificationId: 'n1' })).toBe('/activity/n1')
  expect(activityOf({ subscriberId: 'ada' })).toBeNull()
})
