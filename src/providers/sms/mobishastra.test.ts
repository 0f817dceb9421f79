import { providerRequest, providerTable } from '../../../test/providers/provider-table.ts'
import mobishastra from './mobishastra.ts'

const answer = (response: string) => ({
  json: [{ msg_id: response === 'send success' ? '8812' : '', number: '15005550006', response }],
})

providerTable(mobishastra, {
  credentials: { user: '20012345', password: 'pw' },
  message: { from: 'Acme', overrides: { priority: 'High', pwd: 'other' } },
  request: {
    url: 'https://mshastra.com/sendsms_api_json.aspx',
    json: [
      {
        user: '20012345',
        pwd: 'pw',
        number: '15005550006',
        msg: 'Hello Ada',
        sender: 'Acme',
        language: 'English',
        priority: 'High',
      },
    ],
  },
  accepted: { reply: answer('send success'), id: '8812' },
  badRecipient: { reply: answer('Invalid Receiver'), reason: 'Invalid Receiver' },
  replies: [
    [
      'its other spelling is acceptance too',
      { json: [{ str_response: '15005550006,1,Send Successful' }] },
      { kind: 'sent' },
    ],
    [
      'a wrong password is the integration’s fault',
      answer('Invalid Password'),
      { kind: 'rejected', because: 'integration' },
    ],
    ['no credit is the integration’s fault', answer('No More Credits'), { kind: 'rejected', because: 'integration' }],
    [
      'a blocked profile is the integration’s fault',
      answer('Profile Blocked'),
      { kind: 'rejected', because: 'integration' },
    ],
    ['an error of its own leaves it open', answer('Server Error'), { kind: 'unknown' }],
    [
      'words it does not document are acceptance with an id',
      { json: [{ msg_id: '8813', response: 'Submitted, 12 credits left' }] },
      { kind: 'sent', id: '8813' },
    ],
    ['without an id they leave it open', { json: [{ msg_id: '', response: 'Try again' }] }, { kind: 'unknown' }],
    ['an id may come without words', { json: [{ msg_id: 8814 }] }, { kind: 'sent', id: '8814' }],
    [
      'a number that is none is refused',
      { json: [{ str_response: 'Invalid Mobile No' }] },
      { kind: 'rejected', reason: 'Invalid Mobile No' },
    ],
    ['an empty list leaves it open', { json: [] }, { kind: 'unknown' }],
  ],
})

providerRequest(mobishastra, {
  credentials: { user: '20012345', password: 'pw', baseUrl: 'https://sms.example.com/sendsms_api_json.aspx' },
  message: { content: 'नमस्ते', from: undefined },
  request: {
    url: 'https://sms.example.com/sendsms_api_json.aspx',
    json: [{ user: '20012345', pwd: 'pw', number: '15005550006', msg: 'नमस्ते', language: 'Unicode' }],
  },
  accepted: { reply: answer('send success'), id: '8812' },
})
