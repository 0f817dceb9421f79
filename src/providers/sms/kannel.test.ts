import { describe, expect, test } from 'vitest'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { trySend } from '../../../test/providers/try-provider.ts'
import kannel from './kannel.ts'

const query = 'from=%2B15005550001&to=%2B15005550006&text=Hello+Ada&charset=UTF-8&coding=0'
const credentials = { host: 'sms.example.com', port: '13013', user: 'tester', password: 'foo bar' }

providerTable(kannel, {
  credentials,
  message: { overrides: { 'dlr-mask': 3, password: 'another' } },
  request: {
    method: 'GET',
    url: `http://sms.example.com:13013/cgi-bin/sendsms?${query}&dlr-mask=3&password=foo+bar&username=tester`,
  },
  accepted: { reply: { status: 202, body: '0: Accepted for delivery' } },
  badRecipient: { reply: { status: 403, body: 'Not routable. Do not try again.' }, reason: '403 Not routable' },
  replies: [
    ['a queued message is accepted too', { status: 202, body: '3: Queued for later delivery' }, { kind: 'sent' }],
    [
      'a wrong password is the integration’s fault',
      { status: 403, body: 'Authorization failed for sendsms' },
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'a gateway without a line asks to come again',
      { status: 503, body: 'Temporal failure, try again later.' },
      { kind: 'retry' },
    ],
    ['another page under 200 is no answer', { status: 200, body: '<html>Welcome</html>' }, { kind: 'unknown' }],
  ],
  common: { garbage: 'unknown' },
})

const once = (changes: object, message: object = {}) =>
  trySend(kannel, { credentials: { ...credentials, ...changes }, message: { ...message } })

test('asks for UCS-2 when the text needs it, and names nobody when there is no user', async () => {
  const { requests } = await once({ user: undefined, password: undefined }, { content: 'Привет', from: undefined })
  const sent = new URL(requests[0]?.url ?? '').searchParams
  expect(Object.fromEntries(sent)).toEqual({ to: '+15005550006', text: 'Привет', charset: 'UTF-8', coding: '2' })
})

describe('the host', () => {
  test.each([
    ['2001:db8::1', '[2001:db8::1]:13013'],
    ['[2001:db8::1]', '[2001:db8::1]:13013'],
    ['203.0.113.7', '203.0.113.7:13013'],
  ])('may be %s', async (host, expected) => {
    const { requests } = await once({ host })
    expect(new URL(requests[0]?.url ?? '').host).toBe(expected)
  })

  test.each([{ host: 'a@evil.example' }, { host: 'evil.example/x?' }, { host: 'evil.example#' }, { port: '80/x' }])(
    'may not be %o',
    async (changes) => {
      const { outcome, requests } = await once(changes)
      expect(outcome).toMatchObject({ kind: 'rejected', because: 'integration' })
      expect(requests).toEqual([])
    },
  )
})
