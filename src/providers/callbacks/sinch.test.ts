import { expect, test } from 'vitest'
import { believesKeyInUrl, ignoresJunk } from '../../../test/providers/inbound-tests.ts'
import { trySend } from '../../../test/providers/try-provider.ts'
import sinch from '../sms/sinch.ts'
import { sinchCallbacks } from './sinch.ts'

believesKeyInUrl(sinchCallbacks)
ignoresJunk(sinchCallbacks)

const batch = { batch_id: '01JHFFHQ0P99', client_reference: 'ours' }
const about = { externalId: '01JHFFHQ0P99', messageId: 'ours' }
const read = (report: object) => sinchCallbacks.read({ headers: {}, body: JSON.stringify(report) })
const bounced = (permanent: boolean, reason: string) => [{ kind: 'bounced', permanent, ...about, reason }]

test.each([
  ['Delivered', 0, [{ kind: 'delivered', ...about }]],
  ['DELIVERED', 0, [{ kind: 'delivered', ...about }]],
  ['Failed', 150, bounced(true, 'Failed, code 150')],
  ['Rejected', 300, bounced(true, 'Rejected, code 300')],
  ['Failed', 153, bounced(false, 'Failed, code 153')],
  ['Expired', 406, bounced(false, 'Expired, code 406')],
  ['Aborted', 403, bounced(false, 'Aborted, code 403')],
  ['Cancelled', 407, bounced(false, 'Cancelled, code 407')],
  ['Deleted', 11, bounced(false, 'Deleted, code 11')],
  ['Queued', 400, []],
  ['Dispatched', 401, []],
  ['Unknown', 418, [{ kind: 'other', name: 'Unknown', ...about }]],
])('%s with code %s', (status, code, expected) => {
  const at = '2026-01-13T09:22:40.914Z'
  const report = { at, ...batch, code, recipient: '33612345678', status, type: 'recipient_delivery_report_sms' }
  expect(read(report)).toEqual(expected)
})

test('a report about the batch tells the same, but of several recipients none is bad for good', () => {
  const statuses = [{ code: 150, count: 1, recipients: ['33612345678'], status: 'Failed' }]
  const whole = { ...batch, type: 'delivery_report_sms', statuses }
  expect(read({ ...whole, total_message_count: 1 })).toEqual(bounced(true, 'Failed, code 150'))
  expect(read({ ...whole, total_message_count: 2 })).toEqual(bounced(false, 'Failed, code 150'))
})

test('a text of somebody to us is no report', () => {
  expect(read({ ...batch, type: 'mo_text', body: 'Hi', status: 'Delivered' })).toEqual([])
})

test('each message names the address, and asks for one report at the end', async () => {
  const callbackUrl = 'https://tidings.example/v1/webhooks/1?key=a'
  const { requests } = await trySend(sinch, { callbackUrl, credentials: { region: 'eu' } })
  expect(requests[0]?.json).toMatchObject({ callback_url: callbackUrl, delivery_report: 'per_recipient_final' })
})
