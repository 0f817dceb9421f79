import { samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import messagebird from './messagebird.ts'

const refusal = (status: number, code: number, description: string) => ({
  status,
  json: { errors: [{ code, description, parameter: null }] },
})

providerTable(messagebird, {
  credentials: { accessKey: 'live_1' },
  message: { overrides: { validity: 600 } },
  request: {
    url: 'https://rest.messagebird.com/messages',
    headers: { authorization: 'AccessKey live_1' },
    json: {
      originator: '+15005550001',
      recipients: ['15005550006'],
      body: 'Hello Ada',
      datacoding: 'auto',
      reference: samples.sms.id,
      validity: 600,
    },
  },
  accepted: { reply: { status: 201, json: { id: 'e8077d80', direction: 'mt' } }, id: 'e8077d80' },
  badRecipient: {
    reply: refusal(422, 9, 'no (correct) recipients found'),
    reason: '422 no (correct) recipients found',
  },
  replies: [
    [
      'no balance is the integration’s fault',
      refusal(422, 25, 'no balance'),
      { kind: 'rejected', because: 'integration' },
    ],
    ['nor under its own status', { status: 402 }, { kind: 'rejected', because: 'integration' }],
    [
      'nor whatever the account may not do',
      refusal(422, 2, 'Request not allowed'),
      { kind: 'rejected', because: 'integration' },
    ],
    ['a bad key is the integration’s fault', refusal(401, 2, 'bad key'), { kind: 'rejected', because: 'integration' }],
  ],
  check: { url: 'https://rest.messagebird.com/balance', good: { json: { payment: 'prepaid', amount: 9.2 } } },
})
