import { providerTable } from '../../../test/providers/provider-table.ts'
import ryver from './ryver.ts'

const webhookUrl = 'https://example.ryver.com/application/webhook/8xtO4GzWw8PQGAI'

providerTable(ryver, {
  credentials: {},
  ofTarget: true,
  message: { webhookUrl, overrides: { createSource: { displayName: 'Tidings' } } },
  request: { url: webhookUrl, json: { body: 'Hello Ada', createSource: { displayName: 'Tidings' } } },
  accepted: { reply: { status: 200, json: {} } },
  badRecipient: { reply: { status: 404, body: 'no webhook 8xtO4GzWw8PQGAI' }, reason: '404 no webhook …' },
})
