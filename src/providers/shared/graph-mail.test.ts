import { describe, expect, test } from 'vitest'
import { fullEmail, samples } from '../../../test/providers/provider-samples.ts'
import { tryProvider } from '../../../test/providers/try-provider.ts'
import type { Fault, HttpReply, HttpRequest } from '../../lib/outbound.ts'
import outlook365 from '../email/outlook365.ts'

describe('outlook365, with more than one call may carry', () => {
  const draft = 'https://graph.microsoft.com/v1.0/users/team%40example.com/messages'
  const uploadUrl = 'https://outlook.office.com/api/v2.0/AttachmentSessions(1)?authtoken=t'
  const large = { name: 'film.mp4', mime: 'video/mp4', content: Buffer.alloc(4_000_000, 7) }
  const small = { name: 'a.txt', mime: 'text/plain', content: Buffer.from('hi') }
  const usual: Record<string, Partial<HttpReply> | Fault> = {
    'POST oauth2': { json: { access_token: 'token-1', expires_in: 3599 } },
    'POST createUploadSession': { status: 201, json: { uploadUrl, nextExpectedRanges: ['0-'] } },
    'POST attachments': { status: 201, json: { id: 'file-1' } },
    PUT: { status: 201 },
    'POST send': { status: 202 },
    DELETE: { status: 204 },
    'POST messages': { status: 201, json: { id: 'AAMk/1=' } },
  }
  const nameOf = ({ method = 'POST', url }: HttpRequest) =>
    Object.keys(usual).find((name) => {
      const [verb, part = ''] = name.split(' ')
      return verb === method && (part === 'send' ? url.endsWith('/send') : url.includes(part))
    }) ?? ''
  const trying = (changed: typeof usual = {}) => {
    const answers = { ...usual, ...changed }
    const message = { ...fullEmail, attachments: [large, small] }
    const tried = tryProvider(outlook365, {
      credentials: { clientId: 'client-1', secretKey: 'secret-1', domain: 'contoso.onmicrosoft.com' },
      message,
      http: (request) => answers[nameOf(request)] ?? { status: 500 },
    })
    return { ...tried, steps: () => tried.requests.slice(1).map(nameOf) }
  }

  test('makes a draft, adds the files to it, and sends it', async () => {
    const { requests, send } = trying()
    expect(await send()).toEqual({ kind: 'sent' })
    const authorization = 'Bearer token-1'
    const [, created, ...others] = requests
    expect(created).toMatchObject({
      url: draft,
      headers: { authorization, 'client-request-id': samples.email.id },
      json: {
        subject: 'Hello Ada',
        bccRecipients: [{ emailAddress: { address: 'eve@example.org' } }],
        internetMessageHeaders: [{ name: 'x-tidings-message-id', value: samples.email.id }, { name: 'X-Team' }],
        attachments: [],
      },
    })
    expect(others).toEqual([
      {
        url: `${draft}/AAMk%2F1%3D/attachments/createUploadSession`,
        headers: { authorization, 'client-request-id': samples.email.id },
        json: {
          AttachmentItem: { attachmentType: 'file', name: 'film.mp4', contentType: 'video/mp4', size: 4_000_000 },
        },
      },
      {
        method: 'PUT',
        url: uploadUrl,
        headers: { 'content-type': 'application/octet-stream', 'content-range': 'bytes 0-2999999/4000000' },
        body: large.content.subarray(0, 3_000_000),
      },
      {
        method: 'PUT',
        url: uploadUrl,
        headers: { 'content-type': 'application/octet-stream', 'content-range': 'bytes 3000000-3999999/4000000' },
        body: large.content.subarray(3_000_000),
      },
      {
        url: `${draft}/AAMk%2F1%3D/attachments`,
        headers: { authorization, 'client-request-id': samples.email.id },
        json: {
          '@odata.type': '#microsoft.graph.fileAttachment',
          name: 'a.txt',
          contentType: 'text/plain',
          contentBytes: 'aGk=',
        },
      },
      {
        url: `${draft}/AAMk%2F1%3D/send`,
        headers: { authorization, 'client-request-id': samples.email.id },
      },
    ])
  })

  const cut = { kind: 'fault', sent: true, reason: 'cut' } as const
  const breakdown = { status: 500, json: { error: { message: 'oops' } } }

  test.each([
    ['the draft, cut', 'POST messages', cut, { kind: 'retry', reason: 'cut' }],
    ['the draft, broken', 'POST messages', breakdown, { kind: 'retry' }],
    ['a draft without an id', 'POST messages', { status: 201, json: {} }, { kind: 'retry' }],
    ['a mailbox that is none', 'POST messages', { status: 404 }, { kind: 'rejected', because: 'integration' }],
  ])('before there is a draft, trouble has sent nothing: %s', async (_name, step, answer, outcome) => {
    const { requests, send } = trying({ [step]: answer })
    expect(await send()).toMatchObject(outcome)
    expect(requests).toHaveLength(2)
  })

  test('a permission that is missing for drafts is named, and small mails go on', async () => {
    const { send } = trying({ 'POST messages': { status: 403, json: { error: { message: 'Access is denied' } } } })
    expect(await send()).toEqual({
      kind: 'rejected',
      reason: '403 Access is denied (a mail of more than 4 MB needs the permission Mail.ReadWrite)',
    })
  })

  test.each([
    ['the session', 'POST createUploadSession', breakdown, { kind: 'retry', reason: '500 oops' }],
    ['a session without a place', 'POST createUploadSession', { status: 201, json: {} }, { kind: 'retry' }],
    ['a place that is not safe', 'POST createUploadSession', { json: { uploadUrl: 'http://x' } }, { kind: 'retry' }],
    ['a range', 'PUT', cut, { kind: 'retry', reason: 'cut' }],
    ['a session that ended', 'PUT', { status: 401 }, { kind: 'retry', reason: '401' }],
    ['a range too large', 'PUT', { status: 413 }, { kind: 'rejected', reason: '413' }],
    ['a small file', 'POST attachments', { status: 429 }, { kind: 'retry', paces: true }],
  ])('while files are added, trouble has sent nothing and the draft goes: %s', async (_name, step, answer, outcome) => {
    const { requests, steps, send } = trying({ [step]: answer })
    expect(await send()).toMatchObject(outcome)
    expect(steps()).not.toContain('POST send')
    expect(requests.at(-1)).toMatchObject({ method: 'DELETE', url: `${draft}/AAMk%2F1%3D` })
  })

  test.each([
    ['refused', { status: 400, json: { error: { message: 'no' } } }, { kind: 'rejected', reason: '400 no' }, true],
    ['put off', { status: 503 }, { kind: 'retry' }, true],
    ['cut off', cut, { kind: 'unknown', reason: 'cut' }, false],
    ['broken', breakdown, { kind: 'unknown' }, false],
  ])('a draft whose sending was %s is taken away only if it was not sent', async (_name, answer, outcome, isGone) => {
    const { steps, send } = trying({ 'POST send': answer })
    expect(await send()).toMatchObject(outcome)
    expect(steps().includes('DELETE')).toBe(isGone)
  })

  test('a draft that cannot be taken away changes nothing', async () => {
    const { send } = trying({ PUT: cut, DELETE: cut })
    expect(await send()).toEqual({ kind: 'retry', reason: 'cut' })
  })

  test.each([
    ['files that just fit', { attachments: [{ ...large, content: Buffer.alloc(2_900_000) }] }, 'POST sendMail'],
    ['files that do not', { attachments: [{ ...large, content: Buffer.alloc(2_950_000) }] }, 'POST messages'],
    ['a message of its own', { attachments: [large], overrides: { message: { subject: 'x' } } }, 'POST sendMail'],
  ])('goes in one call or as a draft: %s', async (_name, message, expected) => {
    const { requests, send } = tryProvider(outlook365, {
      credentials: { clientId: 'client-1', secretKey: 'secret-1', domain: 'contoso.onmicrosoft.com' },
      message,
      http: ({ url }) => (url.includes('oauth2') ? (usual['POST oauth2'] ?? {}) : { status: 202, json: { id: '1' } }),
    })
    expect(await send()).toEqual({ kind: 'sent' })
    expect(requests[1]?.url.endsWith(expected.slice(5))).toBe(true)
  })
})
