import { describe, expect, test } from 'vitest'
import { samples } from '../../../test/providers/provider-samples.ts'
import { providerRequest, providerTable } from '../../../test/providers/provider-table.ts'
import { reply, trySend } from '../../../test/providers/try-provider.ts'
import ntfy from './ntfy.ts'

const message = { token: 'orders-of-ada' }
const refusal = (code: number, error: string) => {
  const http = Math.floor(code / 100)
  return { status: http, json: { code, http, error, link: 'https://ntfy.sh/docs/publish/' } }
}
const accepted = {
  reply: { json: { id: 'sPs71M8A2T', time: 1_767_323_045, event: 'message', topic: 'orders-of-ada', message: 'x' } },
  id: 'sPs71M8A2T',
}
const json = { title: 'Hello', message: 'Hello Ada', sequence_id: samples.push.id, topic: 'orders-of-ada' }

providerTable(ntfy, {
  credentials: { apiToken: 'tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2' },
  message,
  request: {
    url: 'https://ntfy.sh/',
    headers: { authorization: 'Bearer tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2' },
    json,
  },
  accepted,
  badRecipient: { reply: refusal(40009, 'invalid request: topic invalid') },
  replies: [
    [
      'a topic that others reserved is refused, and the integration is good',
      refusal(40301, 'forbidden'),
      { kind: 'rejected', reason: '403 forbidden' },
    ],
    ['a wrong token is the integration', refusal(40101, 'unauthorized'), { kind: 'rejected', because: 'integration' }],
    [
      'too many requests pace everything: the limit is of who asks',
      refusal(42901, 'limit reached: too many requests'),
      { kind: 'retry', paces: true, reason: '429 limit reached: too many requests' },
    ],
    [
      'and so does the daily quota',
      refusal(42908, 'limit reached: daily message quota reached'),
      { kind: 'retry', paces: true },
    ],
    [
      'and too many wrong logins',
      refusal(42909, 'limit reached: too many auth failures'),
      { kind: 'retry', paces: true },
    ],
    [
      'no room for a new topic holds up no other topic',
      refusal(42904, 'limit reached: the total number of topics on the server has been reached'),
      { kind: 'retry', paces: 'target' },
    ],
    [
      'nor do e-mails that one trigger asks for',
      { ...refusal(42902, 'limit reached: too many emails'), headers: { 'retry-after': '60' } },
      { kind: 'retry', paces: 'target', afterMs: 60_000 },
    ],
    [
      'a topic of UnifiedPush that no app listens to has taken nothing',
      refusal(50701, 'cannot publish to UnifiedPush topic without previously active subscriber'),
      { kind: 'retry' },
    ],
    ['a server that fails may have published it', refusal(50001, 'internal server error'), { kind: 'unknown' }],
    ['a full disk behind a proxy says nothing clear', { status: 507 }, { kind: 'unknown' }],
    ['what is too large for the server is refused', refusal(41303, 'JSON body too large'), { kind: 'rejected' }],
  ],
  check: {
    url: 'https://ntfy.sh/v1/account',
    good: { json: { username: 'ops' } },
    bad: refusal(40101, 'unauthorized'),
  },
})

providerRequest(ntfy, {
  credentials: { baseUrl: 'https://push.example.com/ntfy/', user: 'ops', password: 'pässword' },
  message: {
    ...message,
    title: '',
    overrides: { priority: 5, tags: ['package'], sequence_id: 'order-42', topic: 'x' },
  },
  request: {
    url: 'https://push.example.com/ntfy/',
    headers: { authorization: `Basic ${Buffer.from('ops:pässword').toString('base64')}` },
    json: { message: 'Hello Ada', priority: 5, tags: ['package'], sequence_id: 'order-42', topic: 'orders-of-ada' },
  },
  accepted,
})

describe('ntfy', () => {
  const send = (body: string, more: { baseUrl?: string; overrides?: Record<string, unknown> } = {}) => {
    const { baseUrl, overrides = {} } = more
    return trySend(ntfy, {
      credentials: { baseUrl },
      message: { ...message, body, overrides },
      http: () => reply(200, { id: 'a' }),
    })
  }

  test('open topics need no login', async () => {
    expect((await send('Hello')).requests[0]?.headers).toEqual({})
  })

  test('a text that the public server would make a file of does not leave', async () => {
    const most = 'ü'.repeat(2_048)
    expect((await send(most)).outcome).toEqual({ kind: 'sent', id: 'a' })
    const reason = 'the push is 4,097 bytes; ntfy takes 4,096: shorten the text or the data'
    expect(await send(`${most}x`)).toMatchObject({ outcome: { kind: 'rejected', reason }, requests: [] })
    expect((await send(`${most}x`, { baseUrl: 'https://ntfy.sh' })).requests).toEqual([])
    // What a trigger puts in its place is what counts.
    expect((await send(`${most}x`, { overrides: { message: 'short' } })).outcome).toMatchObject({ kind: 'sent' })
  })

  test('a server of your own has its own limit', async () => {
    const { outcome } = await send('x'.repeat(10_000), { baseUrl: 'https://push.example.com' })
    expect(outcome).toMatchObject({ kind: 'sent' })
  })
})
