import { providerRequest, providerTable } from '../../../test/providers/provider-table.ts'
import afroMessage from './afro-message.ts'

const url = 'https://api.afromessage.com/api/send'
const error = (...errors: string[]) => ({ json: { acknowledge: 'error', response: { errors } } })

providerTable(afroMessage, {
  credentials: { apiKey: 'tok', senderName: 'Acme' },
  message: { from: 'e80ad9d8', overrides: { callback: 'https://example.com/dlr' } },
  request: {
    url,
    headers: { authorization: 'Bearer tok' },
    json: {
      from: 'e80ad9d8',
      sender: 'Acme',
      to: '+15005550006',
      message: 'Hello Ada',
      callback: 'https://example.com/dlr',
    },
  },
  accepted: { reply: { json: { acknowledge: 'success', response: { message_id: 'abc-123' } } }, id: 'abc-123' },
  badRecipient: { reply: error('invalid recipient'), reason: 'invalid recipient' },
  replies: [
    [
      'a wrong short code is the integration’s fault',
      error('Either your sender id/name or the identifier(short code) you use are invalid.'),
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'the error may be a plain text',
      { json: { acknowledge: 'error', response: 'invalid sender' } },
      { kind: 'rejected', reason: 'invalid sender', because: 'integration' },
    ],
    ['no credits are as well', error('Not enough credits'), { kind: 'rejected', because: 'integration' }],
    ['and a short code', error('Unknown shortcode'), { kind: 'rejected', because: 'integration' }],
    ['an answer without its word leaves it open', { json: { response: {} } }, { kind: 'unknown' }],
    ['acceptance without an id leaves it open', { json: { acknowledge: 'success' } }, { kind: 'unknown' }],
  ],
})

providerRequest(afroMessage, {
  credentials: { apiKey: 'tok' },
  message: { content: 'Hello Ada', from: undefined },
  request: { url, json: { to: '+15005550006', message: 'Hello Ada' } },
  accepted: { reply: { json: { acknowledge: 'success', response: { message_id: '1' } } }, id: '1' },
})
