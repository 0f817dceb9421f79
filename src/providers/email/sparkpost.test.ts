import { expect, test } from 'vitest'
import { fullEmail, samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { tryProvider } from '../../../test/providers/try-provider.ts'
import sparkpost from './sparkpost.ts'

const results = (accepted: number, rejected: number) => ({
  json: { results: { id: '1166', total_accepted_recipients: accepted, total_rejected_recipients: rejected } },
})

providerTable(sparkpost, {
  credentials: { apiKey: 'sp-1' },
  message: { ...fullEmail, overrides: { campaign_id: 'welcome' } },
  request: {
    url: 'https://api.sparkpost.com/api/v1/transmissions',
    headers: { authorization: 'sp-1', 'idempotency-key': samples.email.key },
    json: {
      recipients: [
        { address: { email: 'ada@example.org', header_to: 'ada@example.org' } },
        { address: { email: 'bob@example.org', header_to: 'ada@example.org' } },
        { address: { email: 'eve@example.org', header_to: 'ada@example.org' } },
      ],
      content: {
        from: { email: 'team@example.com', name: 'The Team' },
        reply_to: 'help@example.com',
        subject: 'Hello Ada',
        text: 'Hello',
        html: '<p>Hello</p>',
        headers: { 'X-Team': 'blue', CC: 'bob@example.org' },
        attachments: [{ name: 'a.txt', type: 'text/plain', data: 'aGk=' }],
      },
      metadata: { tidings_message_id: samples.email.id },
      options: { transactional: true },
      campaign_id: 'welcome',
    },
  },
  accepted: { reply: results(3, 0), id: '1166' },
  badRecipient: { reply: results(0, 1) },
  replies: [
    [
      'an address on the suppression list is gone',
      {
        status: 400,
        json: {
          errors: [
            {
              message: 'Message generation rejected',
              description: 'recipient address suppressed due to customer policy',
              code: '1902',
            },
          ],
        },
      },
      { kind: 'rejected', because: 'gone', reason: '400 recipient address suppressed due to customer policy' },
    ],
    [
      "the account's limit paces everybody",
      { status: 420, json: { errors: [{ message: 'Exceed Sending Limit', code: '2101' }] } },
      { kind: 'retry', paces: true, reason: '420 Exceed Sending Limit' },
    ],
    [
      'the limit of the hour passes',
      { status: 420, json: { errors: [{ message: 'Exceed Sending Limit (hourly)', code: '2101' }] } },
      { kind: 'retry', paces: true },
    ],
    [
      'the limit of the month is the fault of the integration',
      { status: 420, json: { errors: [{ message: 'Exceed Sending Limit (monthly)', code: '2103' }] } },
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'so is that of the sandbox, which nobody lifts',
      { status: 420, json: { errors: [{ message: 'Exceed Sending Limit (sandbox)', code: '2104' }] } },
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'a domain that may not send is the fault of the integration',
      {
        status: 400,
        json: {
          errors: [
            { message: 'Invalid domain', description: 'Unconfigured or unverified sending domain.', code: '7001' },
          ],
        },
      },
      { kind: 'rejected', because: 'integration', reason: '400 Unconfigured or unverified sending domain.' },
    ],
    [
      'a key whose first try is still open is not refused',
      { status: 409, json: { errors: [{ message: 'in progress', code: '1601' }] } },
      { kind: 'unknown', reason: '409 in progress' },
    ],
    [
      'nor is a key that had another body',
      { status: 409, json: { errors: [{ message: 'another payload', code: '1600' }] } },
      { kind: 'unknown', reason: '409 another payload' },
    ],
    [
      'a bad field is refused for good',
      { status: 422, json: { errors: [{ message: 'required field is missing', code: '1400' }] } },
      { kind: 'rejected', reason: '422 required field is missing' },
    ],
  ],
  check: {
    url: 'https://api.sparkpost.com/api/v1/account',
    good: { status: 403, json: { errors: [{ message: 'Forbidden.' }] } },
  },
})

test('sparkpost stays in the EU, and renders nothing that was rendered', async () => {
  const { requests, send } = tryProvider(sparkpost, {
    credentials: { apiKey: 'sp-1', region: 'eu' },
    message: { subject: '{{ a }}', html: '{{{ b }}}', text: '' },
    http: [results(1, 0)],
  })
  await send()
  expect(requests[0]?.url).toBe('https://api.eu.sparkpost.com/api/v1/transmissions')
  expect(requests[0]?.json).toMatchObject({
    content: {
      subject: '{{opening_double_curly()}} a }}',
      html: '{{opening_double_curly()}}{ b }}}',
      text: undefined,
      headers: {},
    },
  })
})

test('sparkpost keeps our List-Unsubscribe, which it does for a transactional mail only', async () => {
  const { requests, send } = tryProvider(sparkpost, {
    message: {
      headers: { 'List-Unsubscribe': '<https://tidings.example/u/1>' },
      overrides: { options: { open_tracking: false } },
    },
    http: [results(1, 0)],
  })
  await send()
  expect(requests[0]?.json).toMatchObject({
    content: { headers: { 'List-Unsubscribe': '<https://tidings.example/u/1>' } },
    options: { transactional: true, open_tracking: false },
  })
})

test('a trigger may make a mail of sparkpost none that is transactional', async () => {
  const { requests, send } = tryProvider(sparkpost, {
    message: { overrides: { options: { transactional: false } } },
    http: [results(1, 0)],
  })
  await send()
  expect(requests[0]?.json).toMatchObject({ options: { transactional: false } })
})

test('sparkpost takes no header for a template either', async () => {
  const { requests, send } = tryProvider(sparkpost, {
    message: {
      from: { email: 'team@example.com', name: '{{a}}' },
      replyTo: '{{c}}@example.com',
      headers: { 'X-Team': '{{b}}' },
    },
    http: [results(1, 0)],
  })
  await send()
  expect(requests[0]?.json).toMatchObject({
    content: {
      from: { email: 'team@example.com', name: '{{opening_double_curly()}}a}}' },
      reply_to: '{{opening_double_curly()}}c}}@example.com',
      headers: { 'X-Team': '{{opening_double_curly()}}b}}' },
    },
  })
})
