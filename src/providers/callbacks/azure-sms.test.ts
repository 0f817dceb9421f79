import { describe, expect, test } from 'vitest'
import { inboundCall } from '../../../test/providers/inbound-call.ts'
import { believesKeyInUrl, ignoresJunk } from '../../../test/providers/inbound-tests.ts'
import { azureSmsCallbacks } from './azure-sms.ts'

believesKeyInUrl(azureSmsCallbacks)
ignoresJunk(azureSmsCallbacks)

const event = (eventType: string, data: object) => ({
  id: 'Outgoing_1',
  topic: '/subscriptions/1/resourceGroups/a/providers/microsoft.communication/communicationservices/b',
  subject: '/phonenumber/15555550100',
  data,
  eventType,
  dataVersion: '1.0',
  metadataVersion: '1',
  eventTime: '2026-09-18T00:22:20Z',
})

describe('events', () => {
  const report = (deliveryStatus: string, more: object) =>
    event('Microsoft.Communication.SMSDeliveryReportReceived', {
      messageId: 'Outgoing_1',
      from: '15555550100',
      to: '+15555550101',
      deliveryStatus,
      deliveryStatusDetails: 'No error.',
      receivedTimestamp: '2026-09-18T00:22:20.2855749Z',
      deliveryAttempts: [{ timestamp: '2026-09-18T00:22:14.9315918Z', segmentsSucceeded: 1, segmentsFailed: 0 }],
      tag: 'ours',
      ...more,
    })
  const about = { externalId: 'Outgoing_1', messageId: 'ours', address: '+15555550101' }
  const read = (events: object[]) => azureSmsCallbacks.read({ headers: {}, body: JSON.stringify(events) })

  test.each([
    ['Delivered', {}, [{ kind: 'delivered', ...about }]],
    ['Delivered', { tag: undefined, Tag: 'ours' }, [{ kind: 'delivered', ...about }]],
    ['Failed', { deliveryStatusDetails: 'Unreachable.' }, [{ kind: 'bounced', ...about, reason: 'Unreachable.' }]],
    ['Held', {}, [{ kind: 'other', name: 'Held', ...about }]],
  ])('%s with %j', (status, more, expected) => {
    expect(read([report(status, more)])).toEqual(expected)
  })

  test('other events tell nothing', () => {
    expect(read([event('Microsoft.Communication.SMSReceived', { messageId: 'Incoming_1', message: 'Hi' })])).toEqual([])
  })
})

describe('the handshake', () => {
  const asked = (code: unknown, type = 'Microsoft.EventGrid.SubscriptionValidationEvent') =>
    JSON.stringify([event(type, { validationCode: code, validationUrl: 'https://eventgrid.example/validate' })])
  const headers = { 'aeg-event-type': 'SubscriptionValidation' }
  const shake = (body: string, given: Record<string, string> = headers) =>
    azureSmsCallbacks.handshake?.(inboundCall({ body, headers: given }))

  test('gives the code back', async () => {
    expect(await shake(asked('512d38b6'))).toEqual({
      type: 'application/json',
      body: '{"validationResponse":"512d38b6"}',
    })
    expect(azureSmsCallbacks.read({ body: asked('512d38b6'), headers })).toEqual([])
  })

  test.each([
    ['another header', asked('512d38b6'), { 'aeg-event-type': 'Notification' }],
    ['another event', asked('512d38b6', 'Microsoft.Communication.SMSReceived'), headers],
    ['no code', asked(undefined), headers],
    ['a code that is no text', asked({ a: 1 }), headers],
    ['an endless code', asked('a'.repeat(201)), headers],
    ['no JSON', 'junk', headers],
  ])('does not answer %s', async (_name, body, given) => {
    expect(await shake(body, given)).toBeUndefined()
  })
})
