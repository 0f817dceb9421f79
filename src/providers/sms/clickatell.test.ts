import { samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import clickatell from './clickatell.ts'

const refused = (status: number, code: number, description: string) => ({
  status,
  json: {
    messages: [{ apiMessageId: null, accepted: false, to: '15005550006', error: { code, description } }],
    error: null,
  },
})
const refusedAll = (status: number, code: number, description: string) => ({
  status,
  json: { messages: [], error: { code, description } },
})

providerTable(clickatell, {
  credentials: { apiKey: 'key==' },
  message: { overrides: { dryRun: true } },
  request: {
    url: 'https://platform.clickatell.com/v1/message',
    headers: { authorization: 'key==' },
    json: {
      messages: [
        {
          channel: 'sms',
          to: '15005550006',
          from: '15005550001',
          content: 'Hello Ada',
          clientMessageId: samples.sms.id,
        },
      ],
      dryRun: true,
    },
  },
  accepted: {
    reply: {
      status: 202,
      json: { messages: [{ apiMessageId: '77fb', accepted: true, to: '1500', error: null }], error: null },
    },
    id: '77fb',
  },
  badRecipient: { reply: refused(400, 25, 'Invalid recipient address'), because: 'gone' },
  replies: [
    [
      'what was taken for one recipient of two is not sent again',
      {
        status: 207,
        json: {
          messages: [
            { accepted: false, error: { code: 19, description: 'please retry' } },
            { accepted: true, apiMessageId: 'def' },
          ],
        },
      },
      { kind: 'sent', id: 'def', note: '1 of 2 recipients refused: 207 error 19: please retry' },
    ],
    [
      'also when 2xx is the status',
      refused(207, 25, 'Invalid recipient address'),
      { kind: 'rejected', because: 'gone' },
    ],
    [
      'who opted out is refused',
      refused(400, 26, 'Recipient opted out'),
      { kind: 'rejected', reason: '400 error 26: Recipient opted out' },
    ],
    [
      'a bad key is the integration’s fault',
      refusedAll(401, 1, 'Invalid key'),
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'no balance is the integration’s fault',
      refusedAll(402, 20, 'No balance'),
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'a channel that is not active is the integration’s fault',
      refused(400, 38, 'Channel is not active on integration'),
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'a channel it does not have as well',
      refused(207, 39, 'Channel is not available on integration'),
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'and a sender that is suspended',
      refused(400, 44, 'FROM number is suspended'),
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'or of another integration',
      refused(400, 45, 'FROM number is not related to integration'),
      { kind: 'rejected', because: 'integration' },
    ],
    ['nor without a body', { status: 402 }, { kind: 'rejected', because: 'integration' }],
    ['its throttle asks to wait', refusedAll(400, 43, 'Rate limit'), { kind: 'retry', paces: true }],
    ['an internal error leaves it open', refusedAll(500, 18, 'Internal error'), { kind: 'unknown' }],
    ['unless it asks to come again', refusedAll(500, 19, 'Internal error, please retry'), { kind: 'retry' }],
    ['a reply without its id is unknown', { status: 202, json: { messages: [] } }, { kind: 'unknown' }],
  ],
})
