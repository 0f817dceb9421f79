import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addressGuard } from '../../egress/address-guard.ts'
import { createSealer } from '../../lib/seal.ts'
import { defineProvider, flag, object, optional, secret, text, url } from '../../providers/provider.ts'
import {
  type Credentials,
  credentialFaults,
  isMask,
  isSecretOf,
  mergeCredentials,
  openFields,
  sealFields,
  secretsToRepeat,
  showCredentials,
} from './integration-credentials.ts'

const provider = defineProvider({
  id: 'sample',
  channel: 'sms',
  displayName: 'Sample',
  credentials: {
    apiKey: secret,
    user: text,
    baseUrl: optional(url),
    secure: flag,
    tlsOptions: object,
    from: optional(text),
  },
  verified: 'our own',
  send: async () => ({ kind: 'sent' }),
})
const isSecret = isSecretOf(provider)
const ctx = {
  sealer: createSealer([{ id: 'k', bytes: Buffer.alloc(32, 7) }]),
  guard: addressGuard({ allowedRanges: [], allowedPorts: [] }),
} as unknown as Parameters<typeof credentialFaults>[0]

const names = ['apiKey', 'user', 'baseUrl', 'from', 'token', 'secure', 'tlsOptions']
const value = fc.oneof(
  fc.string({ unit: 'grapheme' }).filter((it) => !isMask(it) && it.isWellFormed()),
  fc.boolean(),
  fc.dictionary(fc.constantFrom('ca', 'key', 'servername'), fc.string(), { minKeys: 1 }),
)
const credentials = fc.dictionary(fc.constantFrom(...names), value)

describe('what is shown', () => {
  test('sent back as it stands, changes nothing', () => {
    fc.assert(
      fc.property(credentials, (stored) => {
        const shown = showCredentials(stored, {}, isSecret)
        expect(mergeCredentials(stored, JSON.parse(JSON.stringify(shown)))).toEqual(stored)
      }),
    )
  })

  test('tells of a secret its last four characters at most, and those only of a long one', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (apiKey) => {
        const shown = showCredentials({ apiKey }, {}, isSecret).apiKey
        const characters = [...apiKey]
        expect(shown).toBe(characters.length < 12 ? '••••' : `••••${characters.slice(-4).join('')}`)
      }),
    )
  })

  test('is what this request sent, as it sent it', () => {
    fc.assert(
      fc.property(credentials, credentials, (before, sent) => {
        const stored = mergeCredentials(before, sent)
        expect(showCredentials(stored, sent, isSecret)).toMatchObject(sent)
      }),
    )
  })

  test('a flag and a declared plain field are open, and of TLS options all but the key; what nobody declares is not', () => {
    const stored: Credentials = {
      user: 'somebody-or-other',
      secure: true,
      tlsOptions: { rejectUnauthorized: false, minVersion: 'TLSv1.2', key: 'pem', passphrase: 'a-long-passphrase' },
      token: 'some-token-or-other',
    }
    expect(showCredentials(stored, {}, isSecret)).toEqual({
      user: 'somebody-or-other',
      secure: true,
      tlsOptions: { rejectUnauthorized: false, minVersion: 'TLSv1.2', key: '••••', passphrase: '••••rase' },
      token: '••••ther',
    })
    expect(showCredentials(stored, {}, isSecretOf(undefined))).toMatchObject({ user: '••••ther', tlsOptions: {} })
  })
})

describe('mergeCredentials', () => {
  test.each<[string, Credentials, Parameters<typeof mergeCredentials>[1], Credentials]>([
    ['given replaces', { apiKey: 'a' }, { apiKey: 'b' }, { apiKey: 'b' }],
    ['not given stays', { apiKey: 'a' }, { user: 'u' }, { apiKey: 'a', user: 'u' }],
    ['undefined stays', { apiKey: 'a' }, { apiKey: undefined }, { apiKey: 'a' }],
    ['null clears', { apiKey: 'a' }, { apiKey: null }, {}],
    ['null of nothing', {}, { apiKey: null }, {}],
    ['blank is a value', { apiKey: 'a' }, { apiKey: '' }, { apiKey: '' }],
    ['false is a value', { secure: true }, { secure: false }, { secure: false }],
    ['a mask stays', { apiKey: 'a' }, { apiKey: '••••wxyz' }, { apiKey: 'a' }],
    ['{} stays', { tlsOptions: { ca: 'x' } }, { tlsOptions: {} }, { tlsOptions: { ca: 'x' } }],
    [
      'an object replaces as a whole',
      { tlsOptions: { ca: 'x' } },
      { tlsOptions: { key: 'y' } },
      { tlsOptions: { key: 'y' } },
    ],
    [
      'an object as it was shown keeps the secrets in it',
      { tlsOptions: { ca: 'x', key: 'pem', passphrase: 'p' } },
      { tlsOptions: { ca: 'y', key: '••••' } },
      { tlsOptions: { ca: 'y', key: 'pem' } },
    ],
    ['a mask of nothing is nothing', {}, { tlsOptions: { ca: 'y', key: '••••' } }, { tlsOptions: { ca: 'y' } }],
  ])('%s', (_name, stored, sent, merged) => {
    const before = structuredClone(stored)
    expect(mergeCredentials(stored, sent)).toEqual(merged)
    expect(stored).toEqual(before)
  })
})

describe('sealing', () => {
  const place = { environmentId: 'e', id: 'i', column: 'credentials' } as const

  test('what is sealed opens again, whatever it is', () => {
    fc.assert(
      fc.property(credentials, (values) => {
        expect(openFields(ctx, place, sealFields(ctx, place, values, {}))).toEqual(values)
      }),
    )
  })

  test.each([
    ['environment', { ...place, environmentId: 'f' }],
    ['row', { ...place, id: 'j' }],
    ['column', { ...place, column: 'configurations' } as const],
    // Different parts that join to the same text are still different.
    ['split', { ...place, environmentId: '', id: 'ei' }],
  ])('opens in no other %s', (_name, other) => {
    const sealed = sealFields(ctx, place, { apiKey: 'x' }, {})
    expect(() => openFields(ctx, other, sealed)).toThrow()
  })

  test('opens under no other field name', () => {
    const { apiKey = '' } = sealFields(ctx, place, { apiKey: 'x' }, {})
    expect(() => openFields(ctx, place, { user: apiKey })).toThrow()
  })

  test('one changed character and it does not open', () => {
    const { apiKey = '' } = sealFields(ctx, place, { apiKey: 'x' }, {})
    const start = 'sealed.k.'.length
    for (let at = start; at < apiKey.length - 1; at++) {
      const changed = apiKey.slice(0, at) + (apiKey[at] === 'A' ? 'B' : 'A') + apiKey.slice(at + 1)
      expect(() => openFields(ctx, place, { apiKey: changed }), String(at)).toThrow()
    }
  })
})

describe('credentialFaults', () => {
  const faultsOf = (values: Credentials, complete: boolean, sent: object = values) =>
    Object.keys(credentialFaults(ctx, provider, values, { sent: { ...sent }, complete }))

  test('complete: what is required and missing or blank, and what is malformed', () => {
    expect(faultsOf({}, true)).toEqual(['credentials.apiKey', 'credentials.user'])
    expect(faultsOf({ apiKey: '', user: 'u' }, true)).toEqual(['credentials.apiKey'])
    expect(faultsOf({ apiKey: 'k', user: 'u' }, true)).toEqual([])
    expect(faultsOf({ apiKey: 'k', user: 'u', baseUrl: 'nonsense' }, true, {})).toEqual(['credentials.baseUrl'])
  })

  test('not complete: only what was sent is judged, and only its form', () => {
    expect(faultsOf({}, false)).toEqual([])
    expect(faultsOf({ baseUrl: 'http://127.0.0.1' }, false)).toEqual(['credentials.baseUrl'])
    expect(faultsOf({ baseUrl: 'http://127.0.0.1' }, false, { user: 'u' })).toEqual([])
    expect(faultsOf({ baseUrl: '' }, false)).toEqual([])
  })

  test('an address that the provider does not read is judged when it is sent', () => {
    expect(faultsOf({ redirectUrl: 'http://127.0.0.1' }, false)).toEqual(['credentials.redirectUrl'])
    expect(faultsOf({ webhookUrl: 'https://example.com' }, false)).toEqual([])
    expect(faultsOf({ redirectUrl: '', webhookUrl: '••••1234' }, false)).toEqual([])
    expect(faultsOf({ apiKey: 'k', user: 'u', redirectUrl: 'http://127.0.0.1' }, true, {})).toEqual([])
  })

  test('never shows a value', () => {
    const errors = credentialFaults(ctx, provider, { baseUrl: 'http://canary.local' }, { sent: {}, complete: true })
    expect(JSON.stringify(errors)).not.toContain('canary')
  })
})

test.each<[string, unknown]>([
  ['nothing', undefined],
  ['a mask', '••••2345'],
  ['an empty object', {}],
])('%s keeps a stored secret, so it does not count as sent again', (_, value) => {
  const stored = { apiKey: 'a stored secret', baseUrl: 'https://a.example.com' }
  const sent = { apiKey: value as string, baseUrl: 'https://b.example.com' }
  const merged = mergeCredentials(stored, sent)
  expect(merged.apiKey).toBe('a stored secret')
  expect(Object.keys(secretsToRepeat(provider, stored, merged, sent))).toEqual(['credentials.apiKey'])
})
