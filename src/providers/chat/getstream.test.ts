import { samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import getstream from './getstream.ts'

providerTable(getstream, {
  credentials: { apiKey: 'stream-key' },
  message: { overrides: { type: 'system' } },
  request: {
    url: samples.chat.webhookUrl,
    headers: { 'x-api-key': 'stream-key' },
    json: { text: 'Hello Ada', tidings_message_id: samples.chat.id, type: 'system' },
  },
  accepted: { reply: { status: 200, json: {} } },
  badRecipient: { reply: { status: 404, json: { message: 'nothing at /T0/B0/secret' } }, reason: '404 nothing at …' },
})
