import { expect, test } from 'vitest'
import { samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { trySend } from '../../../test/providers/try-provider.ts'
import sinch from './sinch.ts'

providerTable(sinch, {
  credentials: { accountSid: 'plan1', apiToken: 'token1', region: 'eu' },
  message: { overrides: { delivery_report: 'summary' } },
  request: {
    url: 'https://eu.sms.api.sinch.com/xms/v1/plan1/batches',
    headers: { authorization: 'Bearer token1' },
    json: {
      from: '+15005550001',
      to: ['+15005550006'],
      body: 'Hello Ada',
      client_reference: samples.sms.id,
      delivery_report: 'summary',
    },
  },
  accepted: {
    reply: { status: 201, json: { id: '01FC66621XXXXX119Z8PMV1QPQ', canceled: false } },
    id: '01FC66621XXXXX119Z8PMV1QPQ',
  },
  badRecipient: {
    reply: { status: 400, json: { code: 'syntax_invalid_parameter_format', text: 'to' } },
    reason: '400 syntax_invalid_parameter_format: to',
  },
  replies: [
    ['no balance is the integration’s fault', { status: 402 }, { kind: 'rejected', because: 'integration' }],
    [
      'a key that may not do this is, in its words',
      { status: 403, json: { code: 'forbidden_request', text: 'Missing permission' } },
      { kind: 'rejected', reason: '403 forbidden_request: Missing permission', because: 'integration' },
    ],
  ],
  check: {
    url: 'https://eu.sms.api.sinch.com/xms/v1/plan1/batches?page_size=1',
    good: { json: { count: 0, batches: [] } },
  },
})

test('no other region becomes a part of the host', async () => {
  const { outcome, requests } = await trySend(sinch, {
    credentials: { accountSid: 'plan1', apiToken: 'token1', region: 'evil.example/' },
  })
  expect(outcome).toMatchObject({ kind: 'rejected', because: 'integration' })
  expect(requests).toEqual([])
})

test('a number of a kind it cannot send to is not the integration’s fault', async () => {
  const { outcome } = await trySend(sinch, {
    credentials: { accountSid: 'plan1', apiToken: 'token1', region: 'eu' },
    http: () => ({ status: 403, json: { code: 'illegal_number_type', text: 'A landline' } }),
  })
  expect(outcome).toEqual({ kind: 'rejected', reason: '403 illegal_number_type: A landline' })
})
