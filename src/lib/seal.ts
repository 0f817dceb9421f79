import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { hashInTurns } from './chunks.ts'

export type EncryptionKey = { id: string; bytes: Buffer }

/** A key that the database knows, with the time when it began to seal. Nothing is sealed with a retired key. */
export type KnownKey = { id: string; firstUsedAt: Date; retired: boolean }

/** Seals and opens with the keys of this process. The database decides which of them seals: the newest key in use. */
export type Sealer = {
  /** The ids of the keys, in the order of ENCRYPTION_KEYS. */
  keyIds: readonly string[]
  /** In the same order. Two processes have the same bytes under an id if its fingerprints are equal; they reveal no key. */
  keyFingerprints: readonly string[]
  /** The key that seals now. Until the database has named one, the first of ENCRYPTION_KEYS. */
  currentKeyId(): string
  /** Whether this process may seal. After it was silent for too long it may not, and `seal` throws. */
  maySeal(): boolean
  /** `place`: where the text is stored; opening it for any other place fails. */
  seal(place: readonly string[], text: string): string
  /** Seals with a chosen key, whichever key is current. */
  sealWith(keyId: string, place: readonly string[], text: string): string
  /**
   * Seals with the key that was in use at `at`, and returns the same text for the same arguments at every call. A message that
   * is sent again must not differ from the first time.
   */
  sealAlike(place: readonly string[], text: string, at: Date): string
  /**
   * Opens a stored text. Throws `EncryptionKeyUnavailable` if this process lacks its key, and an ordinary error if the text is
   * damaged: it was changed, or moved, or names a key that the database does not know.
   */
  open(place: readonly string[], sealed: string): string
  /**
   * Opens a text that a caller sent; null if we did not make it. Throws `EncryptionKeyUnavailable` only for a key that the
   * database names, so that an invented key id has no effect.
   */
  openSent(place: readonly string[], sealed: string): string | null
  /**
   * Whether this process has the keys of these texts, so that opening them later does not throw `EncryptionKeyUnavailable`.
   * Damaged texts do not count: opening them throws an ordinary error.
   */
  hasKeysOf(sealed: Iterable<string>): boolean
  isCurrent(sealed: string): boolean
  /** Derives a secret for one purpose from each key. The current key comes first; the others verify older signatures. */
  derive(purpose: string): readonly Buffer[]
  /**
   * Takes what the database knows about keys. After `sealUntilMs` of `performance.now()` nothing is sealed until a later
   * time is given: the others may have retired the current key without this process. Without `sealUntilMs` the limit is
   * unchanged.
   */
  learn(known: readonly KnownKey[], sealUntilMs?: number): void
  /** The keys that the database says are in use and this process lacks. Empty in a process that works. */
  missingKeyIds(): readonly string[]
}

/**
 * This process cannot seal or open a text now. It is our own fault and it passes, like that of a database that is away:
 * requests are answered with 503, and tasks wait without counting a try.
 */
export class EncryptionKeyUnavailable extends Error {
  override name = 'EncryptionKeyUnavailable'
}

// sealed text: "sealed.<key id>.<base64url of iv, tag, ciphertext>"
const prefix = 'sealed'
const ivLength = 12
const tagLength = 16
// Nodes are restarted one after the other: until this long after its first use some may not seal with a new key.
const adoptedMs = 3_600_000

export function createSealer(keys: readonly EncryptionKey[]): Sealer {
  const [first] = keys
  if (!first) throw new Error('at least one encryption key is needed')
  const byId = new Map(keys.map((key) => [key.id, key]))
  const derived = new Map<string, readonly Buffer[]>()
  let current = first
  let known: ReadonlyMap<string, KnownKey> = new Map()
  let sealUntilMs = Number.POSITIVE_INFINITY

  function sealBy(key: EncryptionKey, iv: Buffer, place: readonly string[], text: string): string {
    const cipher = createCipheriv('aes-256-gcm', key.bytes, iv).setAAD(additionalData(key.id, place))
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return `${prefix}.${key.id}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`
  }

  function keyOf(sealed: string): EncryptionKey {
    const [start, keyId = ''] = sealed.split('.')
    if (start !== prefix || keyId === '') throw new Error('a stored text is not sealed')
    const key = byId.get(keyId)
    if (key) return key
    // While this process may seal, it knows every key that the others seal with, so another id is damage.
    if (maySeal() && !known.has(keyId))
      throw new Error('a stored text names an encryption key that never sealed anything')
    throw lacking(keyId)
  }

  function openBy(key: EncryptionKey, place: readonly string[], sealed: string): string {
    const [, , encoded = ''] = sealed.split('.')
    const raw = Buffer.from(encoded, 'base64url')
    const decipher = createDecipheriv('aes-256-gcm', key.bytes, raw.subarray(0, ivLength), { authTagLength: tagLength })
    decipher.setAAD(additionalData(key.id, place)).setAuthTag(raw.subarray(ivLength, ivLength + tagLength))
    return decipher.update(raw.subarray(ivLength + tagLength), undefined, 'utf8') + decipher.final('utf8')
  }

  /** The newest key that was in use for an hour at that time; before there was one, the oldest. */
  function keyInUse(at: Date): EncryptionKey {
    const since = ({ id }: EncryptionKey) => known.get(id)?.firstUsedAt.getTime() ?? Number.POSITIVE_INFINITY
    const byAge = keys.toSorted((a, b) => since(a) - since(b) || 0)
    return byAge.findLast((key) => since(key) + adoptedMs <= at.getTime()) ?? byAge[0] ?? current
  }

  const maySeal = () => performance.now() <= sealUntilMs

  return {
    keyIds: keys.map((key) => key.id),

    keyFingerprints: keys.map(fingerprint),

    currentKeyId: () => current.id,

    maySeal,

    seal(place, text) {
      if (!maySeal()) throw new EncryptionKeyUnavailable(silentTooLong)
      return sealBy(current, randomBytes(ivLength), place, text)
    },

    sealWith(keyId, place, text) {
      const key = byId.get(keyId)
      if (!key) throw lacking(keyId)
      return sealBy(key, randomBytes(ivLength), place, text)
    },

    sealAlike(place, text, at) {
      const key = keyInUse(at)
      // Two texts never share an iv: it is a keyed hash of the text and its place.
      const secret = Buffer.from(hkdfSync('sha256', key.bytes, '', 'iv of texts sealed alike', 32))
      const iv = createHmac('sha256', secret).update(additionalData(key.id, place)).update(text, 'utf8').digest()
      return sealBy(key, iv.subarray(0, ivLength), place, text)
    },

    open: (place, sealed) => openBy(keyOf(sealed), place, sealed),

    openSent(place, sealed) {
      const [, keyId = ''] = sealed.split('.')
      const key = byId.get(keyId)
      if (!key && known.get(keyId)?.retired === false) throw lacking(keyId)
      try {
        return key ? openBy(key, place, sealed) : null
      } catch {
        return null
      }
    },

    hasKeysOf(sealed) {
      for (const text of sealed) {
        try {
          keyOf(text)
        } catch (error) {
          if (error instanceof EncryptionKeyUnavailable) return false
        }
      }
      return true
    },

    isCurrent: (sealed) => sealed.startsWith(`${prefix}.${current.id}.`),

    derive(purpose) {
      const found = derived.get(purpose)
      if (found) return found
      const ordered = [current, ...keys.filter((key) => key !== current)]
      const secrets = ordered.map((key) => Buffer.from(hkdfSync('sha256', key.bytes, '', purpose, 32)))
      derived.set(purpose, secrets)
      return secrets
    },

    learn(list, until = sealUntilMs) {
      known = new Map(list.map((key) => [key.id, key]))
      sealUntilMs = until
      const inUse = list.filter((key) => !key.retired && byId.has(key.id))
      const newest = inUse.toSorted((a, b) => b.firstUsedAt.getTime() - a.firstUsedAt.getTime())[0]
      const next = byId.get(newest?.id ?? '') ?? current
      if (next !== current) derived.clear()
      current = next
    },

    missingKeyIds: () => [...known.values()].filter((key) => !key.retired && !byId.has(key.id)).map((key) => key.id),
  }
}

function fingerprint({ bytes }: EncryptionKey): string {
  return Buffer.from(hkdfSync('sha256', bytes, '', 'fingerprint of a key', 16)).toString('hex')
}

const silentTooLong =
  'This process could not reach the database for a while, and seals nothing until it has checked its encryption keys'

function lacking(keyId: string): EncryptionKeyUnavailable {
  return new EncryptionKeyUnavailable(
    `ENCRYPTION_KEYS of this process lacks the key "${keyId}", with which a stored text is sealed. Add it and restart.`,
  )
}

export function sha256(...parts: readonly (string | Buffer)[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(`${part.length}:`).update(part)
  return hash.digest()
}

/** The same digest. Others have their turns meanwhile: 20 MB take an eighth of a second. */
export async function sha256InTurns(...parts: readonly string[]): Promise<Buffer> {
  const hash = createHash('sha256')
  for (const part of parts) await hashInTurns(hash.update(`${part.length}:`), part)
  return hash.digest()
}

function additionalData(keyId: string, place: readonly string[]): Buffer {
  return sha256(keyId, ...place)
}
