import { describe, expect, test } from 'vitest'
import { fullEmail, samples } from '../../../test/providers/provider-samples.ts'
import { providerTable } from '../../../test/providers/provider-table.ts'
import { tryProvider } from '../../../test/providers/try-provider.ts'
import outlook365 from './outlook365.ts'

const oauth = { clientId: 'client-1', secretKey: 'secret-1', domain: 'contoso.onmicrosoft.com' }
const tokenUrl = 'https://login.microsoftonline.com/contoso.onmicrosoft.com/oauth2/v2.0/token'

providerTable(outlook365, {
  credentials: oauth,
  before: { 'login.microsoftonline.com': { json: { access_token: 'token-1', expires_in: 3599 } } },
  message: {
    ...fullEmail,
    headers: {
      'X-Team': 'blue',
      'List-Unsubscribe': '<https://x.example>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  },
  request: {
    url: 'https://graph.microsoft.com/v1.0/users/team%40example.com/sendMail',
    headers: { authorization: 'Bearer token-1', 'client-request-id': samples.email.id },
    json: {
      message: {
        from: { emailAddress: { address: 'team@example.com', name: 'The Team' } },
        toRecipients: [{ emailAddress: { address: 'ada@example.org' } }],
        ccRecipients: [{ emailAddress: { address: 'bob@example.org' } }],
        bccRecipients: [{ emailAddress: { address: 'eve@example.org' } }],
        replyTo: [{ emailAddress: { address: 'help@example.com' } }],
        subject: 'Hello Ada',
        body: { contentType: 'HTML', content: '<p>Hello</p>' },
        internetMessageHeaders: [
          { name: 'x-tidings-message-id', value: samples.email.id },
          { name: 'X-Team', value: 'blue' },
        ],
        singleValueExtendedProperties: [
          { id: 'String 0x1045', value: '<https://x.example>' },
          {
            id: 'String {00020386-0000-0000-C000-000000000046} Name List-Unsubscribe-Post',
            value: 'List-Unsubscribe=One-Click',
          },
        ],
        attachments: [
          {
            '@odata.type': '#microsoft.graph.fileAttachment',
            name: 'a.txt',
            contentType: 'text/plain',
            contentBytes: 'aGk=',
          },
        ],
      },
      saveToSentItems: false,
    },
  },
  accepted: { reply: { status: 202 } },
  badRecipient: {
    reply: {
      status: 400,
      json: { error: { code: 'ErrorInvalidRecipients', message: 'At least one recipient is not valid' } },
    },
    reason: '400 At least one recipient is not valid',
  },
  replies: [
    [
      'a mailbox it does not know is the fault of the integration',
      { status: 404, json: { error: { code: 'ErrorInvalidUser', message: 'The requested user is invalid' } } },
      { kind: 'rejected', because: 'integration' },
    ],
    [
      'so is a permission not given',
      { status: 403, json: { error: { code: 'ErrorAccessDenied', message: 'Access is denied' } } },
      { kind: 'rejected', because: 'integration' },
    ],
  ],
})

describe('outlook365', () => {
  const fetched = { json: { access_token: 'token-1', expires_in: 3599 } }
  const refused = { status: 401, json: { error: 'invalid_client', error_description: 'AADSTS7000215: Invalid secret' } }

  test('asks for a token of the application', async () => {
    const { requests, send } = tryProvider(outlook365, { credentials: oauth, http: [fetched, { status: 202 }] })
    await send()
    expect(requests[0]).toEqual({
      url: tokenUrl,
      form: {
        grant_type: 'client_credentials',
        client_id: 'client-1',
        client_secret: 'secret-1',
        scope: 'https://graph.microsoft.com/.default',
      },
    })
  })

  test('an override stands beside the message', async () => {
    const message = { overrides: { saveToSentItems: true } }
    const { requests, send } = tryProvider(outlook365, {
      credentials: oauth,
      message,
      http: [fetched, { status: 202 }],
    })
    await send()
    expect(requests[1]?.json).toMatchObject({ saveToSentItems: true, message: { subject: 'Hello Ada' } })
  })

  test('takes five headers as such, and the others as properties', async () => {
    const names = ['X-A', 'X-B', 'X-C', 'X-D', 'X-E']
    const { requests, send } = tryProvider(outlook365, {
      credentials: oauth,
      message: { headers: Object.fromEntries(names.map((name) => [name, 'v'])) },
      http: [fetched, { status: 202 }],
    })
    await send()
    expect(requests[1]?.json).toMatchObject({
      message: {
        internetMessageHeaders: ['x-tidings-message-id', ...names.slice(0, 4)].map((name) => ({ name })),
        singleValueExtendedProperties: [{ id: 'String {00020386-0000-0000-C000-000000000046} Name X-E', value: 'v' }],
      },
    })
  })

  test('a refused secret is the fault of the integration, and nothing is sent', async () => {
    const { requests, send, check } = tryProvider(outlook365, { credentials: oauth, http: [refused] })
    expect(await send()).toEqual({
      kind: 'rejected',
      because: 'integration',
      reason: '401 AADSTS7000215: Invalid secret',
    })
    expect(requests).toHaveLength(1)
    expect(await check()).toMatchObject({ kind: 'refused' })
  })

  test('checks its credentials by asking for a token', async () => {
    const { requests, check } = tryProvider(outlook365, { credentials: oauth, http: [fetched] })
    expect(await check()).toEqual({ kind: 'ok' })
    expect(requests[0]?.url).toBe(tokenUrl)
  })

  const legacy = { password: 'pass', from: 'team@example.com' }
  const server = {
    host: 'smtp.office365.com',
    port: 587,
    secure: false,
    requireTls: true,
    ignoreTls: false,
    tlsOptions: {},
    auth: { user: 'team@example.com', password: 'pass' },
  }

  test('with a password alone it speaks SMTP, over TLS only', async () => {
    const { mails, verified, requests, send, check } = tryProvider(outlook365, {
      credentials: legacy,
      message: fullEmail,
    })
    const messageId = `<${samples.email.id}@example.com>`
    expect(await send()).toEqual({ kind: 'sent', id: messageId })
    expect(mails).toEqual([{ server, mail: expect.objectContaining({ messageId, bcc: ['eve@example.org'] }) }])
    expect(await check()).toEqual({ kind: 'ok' })
    expect(verified).toEqual([server])
    expect(requests).toEqual([])
  })

  test('a refused password is the fault of the integration', async () => {
    const smtp = { kind: 'reply', code: 535, text: '5.7.139 Authentication unsuccessful', stage: 'auth' } as const
    const { send, check } = tryProvider(outlook365, { credentials: legacy, smtp })
    expect(await send()).toMatchObject({ kind: 'rejected', because: 'integration' })
    expect(await check()).toMatchObject({ kind: 'refused' })
  })

  test.each([
    ['nothing', {}],
    ['half of it', { clientId: 'client-1', secretKey: 'secret-1' }],
    ['a tenant that would lead elsewhere', { ...oauth, domain: 'x/../../evil?' }],
  ])('says what is missing when it has %s, and calls nobody', async (_name, credentials) => {
    const { mails, requests, send, check } = tryProvider(outlook365, { credentials })
    expect(await send()).toMatchObject({
      kind: 'rejected',
      because: 'integration',
      reason: expect.stringContaining('domain'),
    })
    expect(await check()).toMatchObject({ kind: 'refused' })
    expect([...mails, ...requests]).toEqual([])
  })
})
