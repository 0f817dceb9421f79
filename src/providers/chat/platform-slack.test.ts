import { samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import platformSlack from './platform-slack.ts'

providerTable(platformSlack, {
  credentials: {},
  ofTarget: true,
  message: { overrides: { mrkdwn: false } },
  request: { url: samples.chat.webhookUrl, json: { text: 'Hello Ada', mrkdwn: false } },
  accepted: { reply: { body: 'ok' } },
  badRecipient: { reply: { status: 404, body: 'no_service' }, because: 'gone' },
  common: { garbage: 'unknown' },
})
