import { expect, test } from 'vitest'
import { samples } from '../../../test/providers/provider-samples.ts'
import { providerRequest, providerTable } from '../../../test/providers/provider-table.ts'
import { trySend } from '../../../test/providers/try-provider.ts'
import firetext from './firetext.ts'

const request = {
  url: 'https://www.firetext.co.uk/api/sendsms/json',
  form: {
    apiKey: 'ft_key',
    from: '15005550001',
    to: '15005550006',
    message: 'Hello Ada',
    reference: samples.sms.id,
    receipt: 'https://example.com/dlr',
  },
}

providerTable(firetext, {
  credentials: { apiKey: 'ft_key' },
  message: { overrides: { receipt: 'https://example.com/dlr', apiKey: 'other' } },
  request,
  accepted: {
    reply: { headers: { 'x-message': 'ab12' }, json: { code: 0, description: 'SMS successfully queued' } },
    id: 'ab12',
  },
  badRecipient: { reply: { json: { code: 2, description: 'Destination number(s) error' } } },
  replies: [
    ['acceptance without an id is still acceptance', { json: { code: 0 } }, { kind: 'sent' }],
    [
      'a wrong key is the integration’s fault',
      { json: { code: 1, description: 'Authentication error' } },
      { kind: 'rejected', because: 'integration', reason: '200 Authentication error' },
    ],
    [
      'no credit is the integration’s fault',
      { json: { code: '7', description: 'Insufficient credit' } },
      { kind: 'rejected', because: 'integration' },
    ],
    ['an answer without a code leaves it open', { json: {} }, { kind: 'unknown' }],
  ],
  check: {
    url: 'https://www.firetext.co.uk/api/credit/json',
    good: { json: { code: 0, description: '1000' } },
    bad: { json: { code: 1, description: 'Authentication error' } },
  },
})

providerRequest(firetext, {
  credentials: { apiKey: 'ft_key' },
  message: { content: 'Ŵyt ti’n iawn?' },
  request: {
    url: request.url,
    form: {
      apiKey: 'ft_key',
      from: '15005550001',
      to: '15005550006',
      message: 'Ŵyt ti’n iawn?',
      unicode: '1',
      reference: samples.sms.id,
    },
  },
  accepted: { reply: { json: { code: 0 } } },
})

test.each([
  ['+447700900123', '07700900123'],
  ['447700900123', '07700900123'],
  ['07700900123', '07700900123'],
  ['+15005550001', '15005550001'],
  ['44Acme', '44Acme'],
  ['Acme', 'Acme'],
])('a sender has 11 characters at most: %s is %s', async (from, sender) => {
  const { requests } = await trySend(firetext, { credentials: { apiKey: 'ft_key' }, message: { from } })
  expect(requests[0]?.form).toMatchObject({ from: sender })
})
