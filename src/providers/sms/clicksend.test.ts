import { samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import clicksend from './clicksend.ts'

const answer = (status: string) => ({ json: { http_code: 200, data: { messages: [{ message_id: 'A1', status }] } } })

providerTable(clicksend, {
  credentials: { user: 'ada', apiKey: 'key' },
  message: { overrides: { country: 'US' } },
  request: {
    url: 'https://rest.clicksend.com/v3/sms/send',
    headers: { authorization: `Basic ${btoa('ada:key')}` },
    json: {
      messages: [
        {
          source: 'tidings',
          from: '+15005550001',
          to: '+15005550006',
          body: 'Hello Ada',
          custom_string: samples.sms.id,
          country: 'US',
        },
      ],
    },
  },
  accepted: { reply: answer('SUCCESS'), id: 'A1' },
  badRecipient: { reply: answer('INVALID_RECIPIENT'), reason: '200 INVALID_RECIPIENT' },
  replies: [
    ['a country switched off is refused for good', answer('COUNTRY_NOT_ENABLED'), { kind: 'rejected' }],
    [
      'no credit is the integration’s fault',
      answer('INSUFFICIENT_CREDIT'),
      { kind: 'rejected', because: 'integration' },
    ],
    ['the same text a moment ago is tried again', answer('THROTTLED'), { kind: 'retry' }],
    ['a status it does not name leaves it open', answer('SOMETHING_IS_WRONG'), { kind: 'unknown' }],
  ],
  check: { url: 'https://rest.clicksend.com/v3/account', good: { json: { data: {} } } },
})
