import { providerTable } from '../../../test/providers/provider-table.ts'
import plivo from './plivo.ts'

const uuid = 'db3ce55a-7f1d-11e1-8ea7-1231380bc196'

providerTable(plivo, {
  credentials: { accountSid: 'MA1', token: 'secret' },
  message: { overrides: { log: false } },
  request: {
    url: 'https://api.plivo.com/v1/Account/MA1/Message/',
    headers: { authorization: 'Basic TUExOnNlY3JldA==' },
    json: { src: '+15005550001', dst: '+15005550006', text: 'Hello Ada', log: false },
  },
  accepted: {
    reply: { status: 202, json: { api_id: 'a', message: 'message(s) queued', message_uuid: [uuid] } },
    id: uuid,
  },
  badRecipient: { reply: { status: 202, json: { api_id: 'a', invalid_number: ['15005550006'] } }, because: 'gone' },
  replies: [
    [
      'a bad parameter is refused',
      { status: 400, json: { api_id: 'a', error: 'src parameter is invalid' } },
      { kind: 'rejected', reason: '400 src parameter is invalid' },
    ],
    ['no credit is the integration’s fault', { status: 402 }, { kind: 'rejected', because: 'integration' }],
    ['a reply without its id is unknown', { status: 202, json: { message_uuid: [] } }, { kind: 'unknown' }],
  ],
  check: { url: 'https://api.plivo.com/v1/Account/MA1/', good: { json: { account_type: 'standard' } } },
})
