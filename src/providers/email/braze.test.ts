import { describe, expect, test } from 'vitest'
import { samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { keepingCache, tryProvider } from '../../../test/providers/try-provider.ts'
import braze from './braze.ts'

const credentials = { apiKey: 'br-1', baseUrl: 'https://rest.fra-01.braze.eu', applicationId: 'app-1' }

providerTable(braze, {
  credentials,
  message: { headers: { 'X-Team': 'blue' }, overrides: { campaign_id: 'welcome' } },
  before: { '/users/export/ids': { json: { users: [{ external_id: 'user-ada' }], message: 'success' } } },
  request: {
    url: 'https://rest.fra-01.braze.eu/messages/send',
    headers: { authorization: 'Bearer br-1' },
    json: {
      external_user_ids: ['user-ada'],
      messages: {
        email: {
          app_id: 'app-1',
          from: 'The Team <team@example.com>',
          reply_to: 'help@example.com',
          subject: 'Hello Ada',
          body: '<p>Hello</p>',
          plaintext_body: 'Hello',
          headers: { 'X-Team': 'blue' },
          extras: { tidings_message_id: samples.email.id },
        },
      },
      campaign_id: 'welcome',
    },
  },
  accepted: { reply: { status: 201, json: { dispatch_id: 'd1', message: 'success' } }, id: 'd1' },
  badRecipient: 'tested apart',
  replies: [
    [
      'its limit says how long it lasts',
      { status: 429, headers: { 'x-ratelimit-reset': '1392815263', 'x-ratelimit-retry-after': '12' } },
      { kind: 'retry', afterMs: 12_000, paces: true },
    ],
    [
      'a bad field is refused for good',
      { status: 400, json: { message: 'Valid from address is required', errors: [] } },
      { kind: 'rejected', reason: '400 Valid from address is required' },
    ],
  ],
})

describe('braze', () => {
  const found = (id: string) => ({ json: { users: [{ external_id: id }, { external_id: 'a namesake' }] } })
  const sent = { status: 201, json: { dispatch_id: 'd1', message: 'success' } }

  test('asks who has each address, and sends to all of them once', async () => {
    const { requests, send } = tryProvider(braze, {
      credentials: { ...credentials, baseUrl: `${credentials.baseUrl}/` },
      message: { cc: ['bob@example.org'], bcc: ['eve@example.org'] },
      http: [found('ada'), found('bob'), found('ada'), sent],
    })
    expect(await send()).toEqual({ kind: 'sent', id: 'd1' })
    expect(requests.map(({ url }) => new URL(url).pathname)).toEqual([
      ...Array(3).fill('/users/export/ids'),
      '/messages/send',
    ])
    expect(requests[1]?.json).toEqual({ email_address: 'bob@example.org', fields_to_export: ['external_id'] })
    expect(requests[3]?.json).toMatchObject({ external_user_ids: ['ada', 'bob'] })
  })

  test('asks about an address once for many mails, and about one that stands twice once for both', async () => {
    const cached = keepingCache()
    const { requests, send } = tryProvider(braze, {
      credentials,
      message: { cc: ['Ada@example.org', 'bob@example.org'] },
      http: ({ url }) => (url.endsWith('/users/export/ids') ? found('one') : sent),
      cached,
    })
    await send()
    await send()
    const asked = requests.filter(({ url }) => url.endsWith('/users/export/ids'))
    expect(asked.map(({ json }) => json)).toMatchObject([
      { email_address: 'ada@example.org' },
      { email_address: 'bob@example.org' },
    ])
    expect(requests).toHaveLength(4)
  })

  test('a user it knows is asked for again after some minutes: addresses change', async () => {
    const kept: number[] = []
    const { send } = tryProvider(braze, {
      credentials,
      http: [found('ada'), sent],
      cached: async (_name, fetch) => {
        const fetched = await fetch()
        if ('token' in fetched) kept.push(fetched.expiresInMs)
        return fetched
      },
    })
    await send()
    expect(kept).toEqual([10 * 60_000])
  })

  test('sends nothing when it knows no user of an address', async () => {
    const { requests, send } = tryProvider(braze, { credentials, http: [{ json: { users: [] } }] })
    expect(await send()).toEqual({ kind: 'rejected', reason: 'Braze knows no user with this address' })
    expect(requests).toHaveLength(1)
  })

  test.each([
    [
      'a key it does not know',
      { status: 401, json: { message: 'Invalid API key' } },
      { kind: 'rejected', because: 'integration' },
    ],
    ['a breakdown', { status: 500, json: { message: 'oops' } }, { kind: 'retry', reason: '500 oops' }],
    [
      'too many questions',
      { status: 429, headers: { 'retry-after': '7' } },
      { kind: 'retry', paces: true, afterMs: 7000 },
    ],
  ])('while it asks, %s has sent nothing yet', async (_name, reply, outcome) => {
    expect(await tryProvider(braze, { credentials, http: [reply] }).send()).toMatchObject(outcome)
  })

  test('takes no text for a template', async () => {
    const { requests, send } = tryProvider(braze, {
      credentials,
      message: {
        subject: '{{ email }}',
        html: '{% connected_content https://evil.example %}{{{',
        text: '{ok}',
      },
      http: [found('ada'), sent],
    })
    await send()
    expect(requests[1]?.json).toMatchObject({
      messages: {
        email: {
          subject: "{{ '{' }}{ email }}",
          body: "{{ '{' }}% connected_content https://evil.example %}{{ '{' }}{{ '{' }}{",
          plaintext_body: '{ok}',
        },
      },
    })
  })

  test('does not drop a file in silence', async () => {
    const attachments = [{ name: 'a.txt', mime: 'text/plain', content: Buffer.from('hi') }]
    const { requests, send } = tryProvider(braze, { credentials, message: { attachments } })
    expect(await send()).toMatchObject({ kind: 'rejected' })
    expect(requests).toEqual([])
  })
})
