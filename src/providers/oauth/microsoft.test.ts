import { expect, test } from 'vitest'
import { now } from '../../../test/providers/provider-samples.ts'
import { reply } from '../../../test/providers/try-provider.ts'
import type { Fault, HttpReply, HttpRequest } from '../../lib/outbound.ts'
import { appTokenRequest, microsoftOAuth } from './microsoft.ts'

const [tid, oid] = ['44444444-dddd-4000-8000-000000000001', '66666666-ffff-4000-8000-000000000001']
const app = { clientId: 'app-1', secretKey: 'secret-1', domain: 'home-1', host: undefined }
const issuer = `https://login.microsoftonline.com/${tid}/v2.0`
const claims = { aud: 'app-1', iss: issuer, nonce: 'nonce-1', exp: now.getTime() / 1000 + 1, tid, oid }

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const tokenOf = (value: unknown) => `${encode({ alg: 'RS256' })}.${encode(value)}.signature`

async function redeem(
  answer: HttpReply | Fault,
  over: { query?: string; mode?: 'connect' | 'link'; host?: string } = {},
) {
  const requests: HttpRequest[] = []
  const unused = () => Promise.reject(new Error('there is no mail'))
  const { query = 'code=code-1', mode = 'link', host } = over
  const result = await microsoftOAuth.redeem({
    http: async (request) => {
      requests.push(request)
      return answer
    },
    smtp: { send: unused, verify: unused, compose: unused },
    cached: unused,
    now,
    credentials: { ...app, host },
    mode,
    redirectUri: 'https://tidings.example/callback',
    nonce: 'nonce-1',
    query: new URLSearchParams(query),
  })
  return { result, requests }
}

test('people are sent where the documentation says', () => {
  const asked = {
    credentials: app,
    redirectUri: 'https://tidings.example/callback',
    nonce: 'nonce-1',
    state: 'state-1',
  }
  const urlOf = (mode: 'connect' | 'link') => {
    const { origin, pathname, searchParams } = new URL(String(microsoftOAuth.authorizeUrl({ ...asked, mode })))
    return [`${origin}${pathname}`, Object.fromEntries(searchParams)]
  }
  const common = {
    client_id: 'app-1',
    redirect_uri: 'https://tidings.example/callback',
    state: 'state-1',
    scope: 'openid profile',
  }
  expect(urlOf('connect')).toEqual(['https://login.microsoftonline.com/organizations/v2.0/adminconsent', common])
  expect(urlOf('link')).toEqual([
    'https://login.microsoftonline.com/organizations/oauth2/v2.0/authorize',
    { ...common, response_type: 'code', response_mode: 'query', nonce: 'nonce-1', prompt: 'select_account' },
  ])
})

test('a code is redeemed as the documentation has it', async () => {
  const { result, requests } = await redeem(reply(200, { id_token: tokenOf(claims) }))
  expect(requests).toEqual([
    {
      url: 'https://login.microsoftonline.com/organizations/oauth2/v2.0/token',
      form: {
        grant_type: 'authorization_code',
        client_id: 'app-1',
        client_secret: 'secret-1',
        code: 'code-1',
        redirect_uri: 'https://tidings.example/callback',
      },
    },
  ])
  const person = { type: 'ms_teams_user', endpoint: { userId: oid } }
  expect(result).toEqual({ workspace: { id: tid }, person })
})

test.each([
  ['for another app', { aud: 'app-2' }],
  ['of another issuer', { iss: issuer.replace('.com', '.us') }],
  ['of an issuer of another tenant', { tid: oid }],
  ['of another sign-in', { nonce: 'nonce-2' }],
  ['of no sign-in', { nonce: undefined }],
  ['that has expired', { exp: now.getTime() / 1000 - 300 }],
  ['that never expires', { exp: undefined }],
])('a token %s says nothing', async (_name, changes) => {
  const { result } = await redeem(reply(200, { id_token: tokenOf({ ...claims, ...changes }) }))
  expect(result).toEqual({ fault: expect.stringMatching(/^Microsoft: the ID token .*; begin again$/) })
})

test.each([
  ['nothing', undefined],
  ['no token', 'junk'],
  ['a token of junk', 'a.b.c'],
  ['nobody', tokenOf({ ...claims, oid: undefined })],
  ['an id that is none', tokenOf({ ...claims, oid: '../me' })],
  ['no tenant', tokenOf({ ...claims, tid: undefined })],
])('who is told %s knows nobody', async (_name, id_token) => {
  const { result } = await redeem(reply(200, { id_token }))
  expect(result).toEqual({ fault: expect.stringMatching(/^Microsoft( did not say who signed in|: the ID token )/) })
})

test('the issuer is of the cloud that was asked', async () => {
  const host = 'https://login.microsoftonline.us/organizations'
  const iss = `https://login.microsoftonline.us/${tid}/v2.0`
  const answer = reply(200, { id_token: tokenOf({ ...claims, iss }) })
  expect((await redeem(answer, { host })).result).toMatchObject({ workspace: { id: tid } })
  expect((await redeem(answer)).result).toHaveProperty('fault')
})

const consent = `admin_consent=True&tenant=${tid.toUpperCase()}`

test('a consent is confirmed by a token of the app in that tenant', async () => {
  const { result, requests } = await redeem(reply(200, { access_token: 't' }), { mode: 'connect', query: consent })
  expect(result).toEqual({ workspace: { id: tid }, needsSignIn: true })
  expect(requests).toEqual([
    {
      url: `https://login.microsoftonline.com/${tid}/oauth2/v2.0/token`,
      form: {
        grant_type: 'client_credentials',
        client_id: 'app-1',
        client_secret: 'secret-1',
        scope: 'https://graph.microsoft.com/.default',
      },
    },
  ])
})

test.each([
  ['nobody answers', { kind: 'fault', sent: true, reason: 'no answer came' } as const, 'no answer came'],
  ['it fails', reply(503, {}), '503'],
  ['no token came', reply(200, {}), 'without a token'],
])('nothing is connected when %s', async (_name, answer, words) => {
  const { result } = await redeem(answer, { mode: 'connect', query: consent })
  expect(result).toEqual({ fault: expect.stringContaining(words) })
})

test('an app for one tenant is connected to no other', async () => {
  const host = `https://login.microsoftonline.com/${oid}`
  const { result, requests } = await redeem(reply(200, { access_token: 't' }), {
    mode: 'connect',
    query: consent,
    host,
  })
  expect([result, requests]).toEqual([{ fault: 'It was consented to in another tenant' }, []])
})

test('a tenant that is none makes no address', () => {
  expect(appTokenRequest(app, { tenant: '../x', of: 'bot' })).toBeUndefined()
  expect(appTokenRequest({ ...app, secretKey: '' }, { of: 'bot' })).toBeUndefined()
})
