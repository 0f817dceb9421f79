import { describe, expect, test } from 'vitest'
import { createSealer, EncryptionKeyUnavailable, sha256, sha256InTurns } from './seal.ts'

const key = (id: string, fill: number) => ({ id, bytes: Buffer.alloc(32, fill) })
const known = (id: string, day: number, retired = false) => ({ id, firstUsedAt: new Date(day * 86_400_000), retired })
const place = ['environment', 'integration', 'apiKey']
const sealer = createSealer([key('k1', 1)])

describe('createSealer', () => {
  test.each(['', 'secret', 'ä😀', '\u0000', 'x'.repeat(100_000)])('opens what it sealed', (text) => {
    expect(sealer.open(place, sealer.seal(place, text))).toBe(text)
  })

  test('a fingerprint tells other bytes under the same id, and reveals none of them', () => {
    const of = (fill: number) => createSealer([key('k1', fill)]).keyFingerprints
    expect(of(1)).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)])
    expect(of(1)).toEqual(of(1))
    expect(of(1)).not.toEqual(of(2))
    expect(of(1)[0]).not.toContain('0101')
  })

  test('the same text is never sealed twice alike, and cannot be read in it', () => {
    const [a, b] = [sealer.seal(place, 'secret'), sealer.seal(place, 'secret')]
    expect(a).not.toBe(b)
    expect(a).toMatch(/^sealed\.k1\.[\w-]+$/)
    expect(Buffer.from(a.split('.')[2] ?? '', 'base64url').toString('latin1')).not.toContain('secret')
  })

  test('sealed alike: the same at every call, different for each text, place and key; it opens as any other', () => {
    const at = new Date()
    const sealed = sealer.sealAlike(place, 'secret', at)
    expect(createSealer([key('k1', 1)]).sealAlike(place, 'secret', at)).toBe(sealed)
    expect(sealer.open(place, sealed)).toBe('secret')
    expect(() => sealer.open(['elsewhere'], sealed)).toThrow()
    const ivOf = (text: string) => text.split('.')[2]?.slice(0, 16)
    const others = [
      sealer.sealAlike(place, 'secreu', at),
      sealer.sealAlike(['elsewhere'], 'secret', at),
      createSealer([key('k2', 1)]).sealAlike(place, 'secret', at),
      createSealer([key('k1', 2)]).sealAlike(place, 'secret', at),
    ]
    expect(new Set([sealed, ...others].map(ivOf)).size).toBe(5)
  })

  test('sealed alike: with the key that was in use at the time, however the keys change meanwhile', () => {
    const [hour, usedAt] = [3_600_000, Date.parse('2026-01-02T03:04:05Z')]
    const uses = [
      { id: 'k1', firstUsedAt: new Date(usedAt - 100 * hour), retired: false },
      { id: 'k2', firstUsedAt: new Date(usedAt), retired: false },
    ]
    // As nodes are restarted: the new key is only known, then it is used, and the old one is gone at last.
    const nodes = [[key('k1', 1)], [key('k1', 1), key('k2', 2)], [key('k2', 2), key('k1', 1)], [key('k2', 2)]]
    const keysAt = (at: number) =>
      nodes.map((keys) => {
        const node = createSealer(keys)
        node.learn(uses)
        return node.sealAlike(place, 'secret', new Date(at)).split('.')[1]
      })
    expect(keysAt(usedAt - hour)).toEqual(['k1', 'k1', 'k1', 'k2'])
    expect(keysAt(usedAt + hour - 1)).toEqual(['k1', 'k1', 'k1', 'k2'])
    expect(keysAt(usedAt + hour)).toEqual(['k1', 'k2', 'k2', 'k2'])
    expect(createSealer([key('k2', 2), key('k1', 1)]).sealAlike(place, 'x', new Date())).toMatch(/^sealed\.k2\./)
  })

  test.each([
    ['another environment', ['other', 'integration', 'apiKey']],
    ['another integration', ['environment', 'other', 'apiKey']],
    ['another field', ['environment', 'integration', 'secretKey']],
    ['the same letters cut elsewhere', ['environmenti', 'ntegration', 'apiKey']],
    ['one part less', ['environment', 'integration']],
    ['one part more', [...place, '']],
    ['the parts in another order', place.toReversed()],
  ])('a text moved to %s does not open', (_what, elsewhere) => {
    expect(() => sealer.open(elsewhere, sealer.seal(place, 'secret'))).toThrow()
  })

  test('a text changed in any byte, or cut short, does not open', () => {
    const [prefix, id, encoded = ''] = sealer.seal(place, 'secret').split('.')
    const bytes = Buffer.from(encoded, 'base64url')
    for (let i = 0; i < bytes.length; i++) {
      const forged = Buffer.from(bytes)
      forged.writeUInt8(forged.readUInt8(i) ^ 1, i)
      expect(() => sealer.open(place, `${prefix}.${id}.${forged.toString('base64url')}`), `byte ${i}`).toThrow()
      const cut = bytes.subarray(0, i).toString('base64url')
      expect(() => sealer.open(place, `${prefix}.${id}.${cut}`), `${i} bytes`).toThrow()
    }
    for (const nothing of ['', 'sealed', 'sealed.k1', 'sealed.k1.']) {
      expect(() => sealer.open(place, nothing), nothing).toThrow()
    }
  })

  test('the newest key seals, every key opens, a key that is missing is named', () => {
    const rotated = createSealer([key('k2', 2), key('k1', 1)])
    const [old, fresh] = [sealer.seal(place, 'secret'), rotated.seal(place, 'secret')]
    expect(rotated.open(place, old)).toBe('secret')
    expect([rotated.isCurrent(old), rotated.isCurrent(fresh), sealer.isCurrent(old)]).toEqual([false, true, true])
    expect([rotated.currentKeyId(), rotated.keyIds]).toEqual(['k2', ['k2', 'k1']])
    sealer.learn([known('k1', 1), known('k2', 2)])
    expect(() => sealer.open(place, fresh)).toThrow(EncryptionKeyUnavailable)
    expect(() => sealer.open(place, fresh)).toThrow('ENCRYPTION_KEYS of this process lacks the key "k2"')
  })

  test('the database decides which key seals: the newest in use, whatever its place in ENCRYPTION_KEYS', () => {
    const rotated = createSealer([key('k2', 2), key('k1', 1)])
    const sealsWith = () => rotated.seal(place, 'x').split('.')[1]
    rotated.learn([known('k1', 1)])
    expect([rotated.currentKeyId(), sealsWith()]).toEqual(['k1', 'k1'])
    expect(rotated.derive('cursor')[0]).toEqual(sealer.derive('cursor')[0])
    rotated.learn([known('k1', 1), known('k2', 2)])
    expect([rotated.currentKeyId(), sealsWith()]).toEqual(['k2', 'k2'])
    expect(rotated.derive('cursor')[1]).toEqual(sealer.derive('cursor')[0])
    rotated.learn([known('k1', 3), known('k2', 2, true)])
    expect(sealsWith()).toBe('k1')
    expect(rotated.sealWith('k2', place, 'x')).toMatch(/^sealed\.k2\./)
    expect(() => sealer.sealWith('k2', place, 'x')).toThrow('"k2"')
  })

  test('after the given time nothing is sealed, and everything opens, until a later time is given', () => {
    const mine = createSealer([key('k1', 1)])
    const before = mine.seal(place, 'secret')
    mine.learn([known('k1', 1)], performance.now() - 1)
    expect(() => mine.seal(place, 'x')).toThrow(EncryptionKeyUnavailable)
    mine.learn([known('k1', 1)])
    expect(() => mine.seal(place, 'x')).toThrow(EncryptionKeyUnavailable)
    expect(mine.open(place, before)).toBe('secret')
    mine.learn([known('k1', 1)], performance.now() + 60_000)
    expect(mine.open(place, mine.seal(place, 'x'))).toBe('x')
  })

  test('missing keys are the keys in use that this process lacks', () => {
    const mine = createSealer([key('k1', 1)])
    expect(mine.missingKeyIds()).toEqual([])
    mine.learn([known('k1', 1), known('k2', 2)])
    expect(mine.missingKeyIds()).toEqual(['k2'])
    expect(mine.hasKeysOf([mine.seal(place, 'x'), 'sealed.k2.AAAA'])).toBe(false)
    expect(mine.hasKeysOf([mine.seal(place, 'x')])).toBe(true)
    // Damage is found when the text is opened.
    expect(mine.hasKeysOf(['', 'not sealed', 'sealed.k9.AAAA'])).toBe(true)
    mine.learn([known('k1', 3), known('k2', 2, true)])
    expect(mine.missingKeyIds()).toEqual([])
    expect(() => mine.open(place, 'sealed.k2.AAAA')).toThrow(EncryptionKeyUnavailable)
  })

  test('a text under a key that the database does not know is damaged, unless this process was silent', () => {
    const mine = createSealer([key('k1', 1)])
    mine.learn([known('k1', 1)], performance.now() + 60_000)
    expect(() => mine.open(place, 'sealed.k3.AAAA')).toThrow('never sealed anything')
    expect(() => mine.open(place, 'sealed.k3.AAAA')).not.toThrow(EncryptionKeyUnavailable)
    mine.learn([known('k1', 1)], performance.now() - 1)
    expect(() => mine.open(place, 'sealed.k3.AAAA')).toThrow(EncryptionKeyUnavailable)
    expect(mine.missingKeyIds()).toEqual([])
  })

  test('a text that a caller sent names no key: only one that the database knows makes it wait', () => {
    const mine = createSealer([key('k1', 1)])
    mine.learn([known('k1', 1), known('k2', 2)])
    expect(mine.openSent(place, mine.seal(place, 'link'))).toBe('link')
    for (const bad of ['', 'sealed', 'sealed.k9.AAAA', 'sealed.k1.AAAA', 'x.k1.AAAA'])
      expect(mine.openSent(place, bad)).toBeNull()
    expect(() => mine.openSent(place, 'sealed.k2.AAAA')).toThrow(EncryptionKeyUnavailable)
    expect(mine.missingKeyIds()).toEqual(['k2'])
  })

  test('another key under the same id opens nothing', () => {
    expect(() => createSealer([key('k1', 9)]).open(place, sealer.seal(place, 'secret'))).toThrow()
  })

  test('a text cannot be passed off under the id of another key with the same bytes', () => {
    const twins = createSealer([key('a', 1), key('b', 1)])
    expect(() => twins.open(place, twins.seal(place, 'secret').replace('.a.', '.b.'))).toThrow()
  })

  test('a key id that begins like the current one is not the current one', () => {
    expect(createSealer([key('k1', 1)]).isCurrent(createSealer([key('k10', 1)]).seal(place, 'x'))).toBe(false)
  })

  test('derived secrets: one per key, newest first, different for each purpose, never the key itself', () => {
    const rotated = createSealer([key('k2', 2), key('k1', 1)])
    const [newest, older] = rotated.derive('cursor')
    expect(rotated.derive('cursor')).toHaveLength(2)
    expect(older).toEqual(sealer.derive('cursor')[0])
    expect(newest).not.toEqual(older)
    expect(sealer.derive('cursor')[0]).not.toEqual(sealer.derive('unsubscribe')[0])
    expect(older).not.toEqual(Buffer.alloc(32, 1))
    expect(older).toHaveLength(32)
  })

  test('without a key there is no sealer', () => {
    expect(() => createSealer([])).toThrow()
  })
})

describe('sha256', () => {
  test.each([
    [
      ['ab', 'c'],
      ['a', 'bc'],
    ],
    [['a', ''], ['a']],
    [
      ['', 'a'],
      ['a', ''],
    ],
    [['1:a'], ['', 'a']],
    [['a1:b'], ['a', 'b']],
  ])('%j and %j differ: where the parts end counts', (a, b) => {
    expect(sha256(...a)).not.toEqual(sha256(...b))
    expect(sha256(...a)).toEqual(sha256(...a))
  })
})

test.each([0, 1, 1024 * 1024 - 1, 1024 * 1024, 2 * 1024 * 1024 - 1])(
  'a digest in turns is the same, cut after %i',
  async (at) => {
    const texts = ['x', '😀', '\ud83d', '\ude00'].map((it) => `${'x'.repeat(at)}${it}ü${'y'.repeat(1024 * 1024)}`)
    for (const text of ['', ...texts]) expect(await sha256InTurns('a', text)).toEqual(sha256('a', text))
  },
)
