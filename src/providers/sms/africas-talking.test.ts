import { expect, test } from 'vitest'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { trySend } from '../../../test/providers/try-provider.ts'
import africasTalking from './africas-talking.ts'

const recipient = (statusCode: number, status: string, messageId = 'None') => ({
  status: 201,
  json: {
    SMSMessageData: {
      Message: 'Sent to 1/1',
      Recipients: [{ statusCode, status, number: '+1500', cost: '0', messageId }],
    },
  },
})

providerTable(africasTalking, {
  credentials: { apiKey: 'key1', user: 'acme' },
  message: { overrides: { enqueue: 1, username: 'another' } },
  request: {
    url: 'https://api.africastalking.com/version1/messaging',
    headers: { apikey: 'key1', accept: 'application/json' },
    form: {
      username: 'acme',
      to: '+15005550006',
      from: '+15005550001',
      message: 'Hello Ada',
      bulkSMSMode: '1',
      enqueue: '1',
    },
  },
  accepted: { reply: recipient(101, 'Success', 'ATXid_1'), id: 'ATXid_1' },
  badRecipient: { reply: recipient(403, 'InvalidPhoneNumber'), because: 'gone' },
  replies: [
    ['a queued message is accepted too', recipient(102, 'Queued', 'ATXid_2'), { kind: 'sent', id: 'ATXid_2' }],
    [
      'no balance is the integration’s fault',
      recipient(405, 'InsufficientBalance'),
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'a sender that one operator refuses is the integration’s fault',
      recipient(402, 'InvalidSenderId'),
      { kind: 'rejected', reason: '402 InvalidSenderId', because: 'integration' },
    ],
    [
      'a blacklisted number is refused',
      recipient(406, 'UserInBlacklist'),
      { kind: 'rejected', reason: '406 UserInBlacklist' },
    ],
    ['an error of the operator leaves it open', recipient(501, 'GatewayError'), { kind: 'unknown' }],
    ['a code it does not document leaves it open', recipient(777, 'Odd'), { kind: 'unknown' }],
    [
      'a sender that is not ours is the integration’s fault',
      { status: 201, json: { SMSMessageData: { Message: 'InvalidSenderId', Recipients: [] } } },
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'a bad key is told in plain text',
      { status: 401, body: 'The supplied authentication is invalid' },
      { kind: 'rejected', because: 'integration', reason: '401 The supplied authentication is invalid' },
    ],
  ],
  check: {
    url: 'https://api.africastalking.com/version1/user?username=acme',
    good: { json: { UserData: { balance: 'KES 1.0' } } },
  },
})

test('the user "sandbox" sends through the sandbox', async () => {
  const { requests } = await trySend(africasTalking, {
    credentials: { apiKey: 'key1', user: 'sandbox' },
  })
  expect(requests[0]?.url).toBe('https://api.sandbox.africastalking.com/version1/messaging')
})
