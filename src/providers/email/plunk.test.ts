import { expect, test } from 'vitest'
import { fullEmail, samples } from '../../../test/providers/provider-samples.ts'
import { providerRequest, providerTable } from '../../../test/providers/provider-table.ts'
import { tryProvider } from '../../../test/providers/try-provider.ts'
import plunk from './plunk.ts'

const repeated = (originalStatusCode?: number) => ({
  status: 409,
  json: { success: false, error: { code: 'IDEMPOTENCY_KEY_REUSED', message: 'used', details: { originalStatusCode } } },
})

providerTable(plunk, {
  credentials: { apiKey: 'sk_1' },
  message: { ...fullEmail, overrides: { subscribed: true } },
  request: {
    url: 'https://next-api.useplunk.com/v1/send',
    headers: { authorization: 'Bearer sk_1', 'idempotency-key': samples.email.key },
    json: {
      to: ['ada@example.org', 'bob@example.org', 'eve@example.org'],
      from: { email: 'team@example.com', name: 'The Team' },
      reply: 'help@example.com',
      subject: 'Hello Ada',
      body: '<p>Hello</p>',
      headers: { 'X-Team': 'blue' },
      attachments: [{ filename: 'a.txt', contentType: 'text/plain', content: 'aGk=' }],
      subscribed: true,
    },
  },
  accepted: {
    reply: { json: { success: true, data: { emails: [{ contact: { id: 'c1' }, email: 'ac32f08e' }] } } },
    id: 'ac32f08e',
  },
  badRecipient: {
    reply: {
      status: 422,
      json: { success: false, error: { code: 'VALIDATION_ERROR', message: 'Request validation failed' } },
    },
    reason: '422 Request validation failed',
  },
  replies: [
    ['a key that was used and went well means that it was sent', repeated(200), { kind: 'sent' }],
    ['a key that was used, nobody knows how, leaves it open', repeated(), { kind: 'unknown', reason: '409 used' }],
    [
      'a sender that is not verified is the fault of the integration',
      { status: 403, json: { success: false, error: { message: 'Domain "example.com" is not verified.' } } },
      { kind: 'rejected', because: 'integration' },
    ],
  ],
})

providerRequest(plunk, {
  credentials: { apiKey: 'sk_1', baseUrl: 'https://mail.example.com/api/' },
  request: { url: 'https://mail.example.com/api/v1/send', headers: { authorization: 'Bearer sk_1' } },
  accepted: { reply: { json: { success: true, data: { emails: [{ email: 'ac32f08e' }] } } }, id: 'ac32f08e' },
})

// As Plunk's first version answers.
const flat = { json: { success: true, emails: [{ contact: { id: 'c1' }, email: 'ac32f08e' }], timestamp: '2026' } }

test('plunk may say its ids without the wrapper', async () => {
  const { send } = tryProvider(plunk, { http: [flat] })
  expect(await send()).toEqual({ kind: 'sent', id: 'ac32f08e' })
})

test('plunk fills nothing in: what was rendered stays as it is', async () => {
  const { requests, send } = tryProvider(plunk, {
    message: { subject: '{{a}} {%b%} {c}', html: '<p>{{ a }} {{{b}}} {% raw %} {c}</p>' },
    http: [flat],
  })
  await send()
  expect(requests[0]?.json).toMatchObject({
    subject: '{\u200b{a}} {\u200b%b%} {c}',
    body: '<p>&#123;{ a }} &#123;&#123;{b}}} &#123;% raw %} {c}</p>',
  })
})
