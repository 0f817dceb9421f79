import { describe, expect, test } from 'vitest'
import { samples } from '../../../test/providers/provider-samples.ts'
import { providerRequest, providerTable } from '../../../test/providers/provider-table.ts'
import { tryProvider, trySend } from '../../../test/providers/try-provider.ts'
import isendSms from './isend-sms.ts'

providerTable(isendSms, {
  credentials: { apiToken: 'tok' },
  message: { from: 'Acme', overrides: { schedule_time: '2026-01-02 10:00' } },
  request: {
    url: 'https://isend.com.ly/api/v3/sms/send',
    headers: { authorization: 'Bearer tok', accept: 'application/json' },
    json: {
      recipient: '15005550006',
      sender_id: 'Acme',
      type: 'plain',
      message: 'Hello Ada',
      schedule_time: '2026-01-02 10:00',
    },
  },
  accepted: { reply: { json: { status: 'success', data: { uid: '606812e63f78b' } } }, id: '606812e63f78b' },
  badRecipient: { reply: { json: { status: 'error', message: 'Invalid recipient' } }, reason: '200 Invalid recipient' },
  replies: [
    ['acceptance without an id leaves it open', { json: { status: 'success' } }, { kind: 'unknown' }],
    [
      'no balance is the integration’s fault',
      { json: { status: 'error', message: 'Insufficient balance' } },
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'also as a status',
      { status: 400, json: { status: 'error', message: 'You have no credit left' } },
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'and so is a sender that is not approved',
      { json: { status: 'error', message: 'The sender id is not authorized' } },
      { kind: 'rejected', because: 'integration' },
    ],
  ],
  check: {
    url: 'https://isend.com.ly/api/v3/balance',
    good: { json: { status: 'success', data: { balance: 500 } } },
    bad: { json: { status: 'error', message: 'Unauthenticated' } },
  },
})

providerRequest(isendSms, {
  credentials: { apiToken: 'tok' },
  message: { content: 'مرحبا', from: undefined },
  request: {
    url: 'https://isend.com.ly/api/v3/sms/send',
    json: { recipient: '15005550006', type: 'unicode', message: 'مرحبا' },
  },
  accepted: { reply: { json: { status: 'success', data: { uid: '1' } } }, id: '1' },
})

describe('a key of the newer portal', () => {
  const credentials = { apiToken: ' prod_0123456789abcdef ' }

  providerRequest(isendSms, {
    credentials,
    message: { to: '+218911234567', from: 'Acme', content: 'مرحبا' },
    request: {
      url: 'https://isend.com.ly/api/v1/messages',
      headers: { authorization: 'Bearer prod_0123456789abcdef' },
      json: { to: '218911234567', from: 'Acme', body: 'مرحبا', idempotency_key: samples.sms.key },
    },
    accepted: { reply: { status: 201, json: { id: '0c83c28f', status: 'SENT' } }, id: '0c83c28f' },
  })

  test.each(['REJECTED', 'FAILED', 'UNDELIV'])('%s is a refusal', async (status) => {
    const { outcome } = await trySend(isendSms, {
      credentials,
      http: () => ({ status: 201, json: { id: '0c83c28f', status, error_message: 'blacklisted' } }),
    })
    expect(outcome).toEqual({ kind: 'rejected', reason: `${status} blacklisted` })
  })

  test('without a sender nothing is sent', async () => {
    const { outcome, requests } = await trySend(isendSms, { credentials, message: { from: undefined } })
    expect(outcome).toMatchObject({ kind: 'rejected', because: 'integration' })
    expect(requests).toEqual([])
  })

  test('is checked at the quota', async () => {
    const { check, requests } = tryProvider(isendSms, { credentials, http: () => ({ json: { available: 9 } }) })
    expect(await check()).toEqual({ kind: 'ok' })
    expect(requests[0]?.url).toBe('https://isend.com.ly/api/v1/account/quota')
  })
})
