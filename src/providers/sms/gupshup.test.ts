import { expect, test } from 'vitest'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { trySend } from '../../../test/providers/try-provider.ts'
import gupshup from './gupshup.ts'

providerTable(gupshup, {
  credentials: { user: '2000012345', password: 'hush' },
  message: { from: 'ACME', overrides: { dltTemplateId: '1107', format: 'json', userid: '1' } },
  request: {
    url: 'https://enterprise.smsgupshup.com/GatewayAPI/rest',
    form: {
      method: 'SendMessage',
      send_to: '15005550006',
      msg: 'Hello Ada',
      msg_type: 'TEXT',
      mask: 'ACME',
      v: '1.1',
      dltTemplateId: '1107',
      format: 'text',
      auth_scheme: 'plain',
      userid: '2000012345',
      password: 'hush',
    },
  },
  accepted: {
    reply: { body: 'success | 15005550006 | 728014710249169459-342890756\n' },
    id: '728014710249169459-342890756',
  },
  badRecipient: { reply: { body: 'error | 105 | The phone number "1" is not valid' }, because: 'gone' },
  replies: [
    [
      'a wrong password is refused under 200, and the integration’s fault',
      { body: 'error | 102 | Authentication failed due to invalid userId or password.' },
      { kind: 'rejected', because: 'integration' },
    ],
    ['an unknown error leaves it open', { body: 'error | 100 | Unknown error' }, { kind: 'unknown' }],
    [
      'a bad mask is the integration’s fault',
      { body: 'error | 108 | Invalid mask' },
      { kind: 'rejected', reason: 'error 108: Invalid mask', because: 'integration' },
    ],
    ['and so is 101', { body: 'error | 101 | words' }, { kind: 'rejected', because: 'integration' }],
    ['or 107', { body: 'error | 107 | words' }, { kind: 'rejected', because: 'integration' }],
    ['any other is of this message', { body: 'error | 110 | Something else' }, { kind: 'rejected' }],
    ['a success without its id is unknown', { body: 'success | 15005550006' }, { kind: 'unknown' }],
  ],
  common: { garbage: 'unknown' },
})

test('says that a text is Unicode when it does not fit the SMS alphabet', async () => {
  const { requests } = await trySend(gupshup, {
    credentials: { user: '2000012345', password: 'hush' },
    message: { content: 'नमस्ते' },
  })
  expect(requests[0]?.form).toMatchObject({ msg_type: 'Unicode_Text' })
})
