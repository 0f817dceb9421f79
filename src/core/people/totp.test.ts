import { describe, expect, test } from 'vitest'
import { base32, findTotpStep, totpCode, totpStep, totpUri } from './totp.ts'

// RFC 6238, appendix B: its codes have eight digits, of which an app shows the last six.
const secret = Buffer.from('12345678901234567890')

describe('codes', () => {
  test.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('are those of RFC 6238 at %i s', (seconds, code) => {
    expect(totpCode(secret, totpStep(new Date(seconds * 1000)))).toBe(code.slice(-6))
  })

  test('count in their step, the one before and the one after, and in no other', () => {
    const now = new Date(1_111_111_111_000)
    const step = totpStep(now)
    const found = [-2, -1, 0, 1, 2].map((distance) => findTotpStep(secret, totpCode(secret, step + distance), now))
    expect(found).toEqual([null, step - 1, step, step + 1, null])
    for (const wrong of ['', '12345', '1234567', 'abcdef', '０１２３４５'])
      expect(findTotpStep(secret, wrong, now)).toBeNull()
  })
})

test('base32 is that of RFC 4648, without its padding', () => {
  const encoded = ['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'].map((text) => base32(Buffer.from(text)))
  expect(encoded).toEqual(['', 'MY', 'MZXQ', 'MZXW6', 'MZXW6YQ', 'MZXW6YTB', 'MZXW6YTBOI'])
})

test('the address for apps names who and where', () => {
  expect(totpUri(secret, { issuer: 'Tidings', account: 'ada+1@example.com' })).toBe(
    'otpauth://totp/Tidings:ada%2B1%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Tidings&algorithm=SHA1&digits=6&period=30',
  )
})
