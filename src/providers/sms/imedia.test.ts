import { samples } from '../../../test/providers/provider-samples.ts'
import { providerRequest, providerTable } from '../../../test/providers/provider-table.ts'
import imedia from './imedia.ts'

const url = 'https://api.mobilebranding.vn/api/SMSBrandname/SendSMS'

providerTable(imedia, {
  credentials: { token: 'tok' },
  message: { from: 'Acme', overrides: { telco: 'viettel' } },
  request: {
    url,
    headers: { token: 'tok' },
    json: {
      to: '15005550006',
      from: 'Acme',
      message: 'Hello Ada',
      scheduled: '',
      requestId: samples.sms.id,
      useUnicode: 0,
      type: 1,
      telco: 'viettel',
    },
  },
  accepted: { reply: { json: { errorCode: '000', errorMessage: 'Success', referentId: 'ref-1' } }, id: 'ref-1' },
  badRecipient: 'not documented',
  replies: [
    [
      'an error inside a 200 is an error',
      { json: { errorCode: '104', errorMessage: 'Brandname not found' } },
      { kind: 'rejected', reason: '104 Brandname not found' },
    ],
    ['an answer without a code leaves it open', { json: {} }, { kind: 'unknown' }],
    ['acceptance without an id leaves it open', { json: { errorCode: '000' } }, { kind: 'unknown' }],
  ],
})

providerRequest(imedia, {
  credentials: { token: 'tok' },
  message: { from: 'Acme', content: 'Xin chào bạn' },
  request: {
    url,
    json: {
      to: '15005550006',
      from: 'Acme',
      message: 'Xin chào bạn',
      scheduled: '',
      requestId: samples.sms.id,
      useUnicode: 1,
      type: 1,
    },
  },
  accepted: { reply: { json: { errorCode: '000', referentId: 'ref-1' } }, id: 'ref-1' },
})
