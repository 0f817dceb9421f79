import { providerRequest, providerTable } from '../../../test/providers/provider-table.ts'
import simpletexting from './simpletexting.ts'

providerTable(simpletexting, {
  credentials: { apiKey: 'key' },
  message: { overrides: { mode: 'SINGLE_SMS_STRICTLY' } },
  request: {
    url: 'https://api-app2.simpletexting.com/v2/api/messages',
    headers: { authorization: 'Bearer key' },
    json: {
      contactPhone: '5005550006',
      accountPhone: '5005550001',
      mode: 'SINGLE_SMS_STRICTLY',
      text: 'Hello Ada',
    },
  },
  accepted: {
    reply: { status: 201, json: { id: '507f191e810c19729de860ea', credits: 1 } },
    id: '507f191e810c19729de860ea',
  },
  badRecipient: {
    reply: {
      status: 400,
      json: { status: 'BAD_REQUEST', errorCode: 'ERR_VALIDATION', message: 'Invalid phone number' },
    },
    reason: '400 Invalid phone number',
  },
  replies: [['acceptance without an id leaves it open', { status: 201, json: {} }, { kind: 'unknown' }]],
  check: { url: 'https://api-app2.simpletexting.com/v2/api/tenant', good: { json: {} } },
})

providerRequest(simpletexting, {
  credentials: { apiKey: 'key' },
  message: { content: 'Hello Ada', to: '+447700900123', from: undefined },
  request: {
    url: 'https://api-app2.simpletexting.com/v2/api/messages',
    json: { contactPhone: '+447700900123', mode: 'AUTO', text: 'Hello Ada' },
  },
  accepted: { reply: { status: 201, json: { id: '1' } }, id: '1' },
})
