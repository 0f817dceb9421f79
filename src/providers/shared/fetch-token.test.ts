import { expect, test } from 'vitest'
import type { Fault, HttpReply } from '../../lib/outbound.ts'
import { fetchToken } from './fetch-token.ts'

const request = { url: 'https://auth.example.com/token' }
const fetch = (answer: HttpReply | Fault, options = {}) => fetchToken(async () => answer, request, options)
const reply = (status: number, json: unknown): HttpReply => ({ kind: 'reply', status, headers: {}, text: '', json })

test('gives the token and how long it is good', async () => {
  expect(await fetch(reply(200, { access_token: 'abc', expires_in: 3600 }))).toEqual({
    token: 'abc',
    expiresInMs: 3_600_000,
  })
  expect(await fetch(reply(201, { data: { key: 'abc' } }), { paths: ['token', 'data.key'] })).toEqual({
    token: 'abc',
    expiresInMs: 60_000,
  })
})

test.each([
  ['a refused client', reply(400, { error: 'invalid_client' }), { kind: 'rejected', because: 'integration' }],
  ['a revoked one', reply(401, {}), { kind: 'rejected', because: 'integration' }],
  ['a reply without a token', reply(200, { access_token: '' }), { kind: 'rejected', because: 'integration' }],
  ['a throttle', reply(429, {}), { kind: 'retry', paces: true }],
  ['a broken server', reply(500, {}), { kind: 'retry' }],
  ['no answer', { kind: 'fault', sent: true, reason: 'cut' } as const, { kind: 'retry', reason: 'cut' }],
])('%s', async (_name, answer, fault) => {
  expect(await fetch(answer)).toMatchObject({ fault })
})
