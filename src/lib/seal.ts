import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { hashInTurns } from './chunks.ts'

export type EncryptionKey = { id: string; bytes: Buffer }

/** The newest key seals; every key opens. */
export type Sealer = {
  currentKeyId: string
  keyIds: readonly string[]
  /** `place`: where the text is stored; opening it for any other place fails. */
  seal(place: readonly string[], text: string): string
  /** The same text at every call, for what goes out more than once; with the key that was in use at `at`. */
  sealAlike(place: readonly string[], text: string, at: Date): string
  open(place: readonly string[], sealed: string): string
  isCurrent(sealed: string): boolean
  /** Secrets for one purpose, newest first, so that what an older key signed still verifies. */
  derive(purpose: string): readonly Buffer[]
  /** Since when each key is in use, which only the database knows. */
  learnFirstUse(times: ReadonlyMap<string, Date>): void
}

// sealed text: "sealed.<key id>.<base64url of iv, tag, ciphertext>"
const prefix = 'sealed'
const ivLength = 12
const tagLength = 16
// Nodes are restarted one after the other: until this long after its first use some may not seal with a new key.
const adoptedMs = 3_600_000

export function createSealer(keys: readonly EncryptionKey[]): Sealer {
  const [current] = keys
  if (!current) throw new Error('at least one encryption key is needed')
  const byId = new Map(keys.map((key) => [key.id, key.bytes]))
  const derived = new Map<string, readonly Buffer[]>()

  let firstUse: ReadonlyMap<string, Date> = new Map()

  function sealWith(key: EncryptionKey, iv: Buffer, place: readonly string[], text: string): string {
    const cipher = createCipheriv('aes-256-gcm', key.bytes, iv).setAAD(additionalData(key.id, place))
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return `${prefix}.${key.id}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`
  }

  function keyInUse(at: Date): EncryptionKey {
    const since = ({ id }: EncryptionKey) => firstUse.get(id)?.getTime() ?? Number.POSITIVE_INFINITY
    const adopted = keys.find((key) => since(key) + adoptedMs <= at.getTime())
    return adopted ?? keys.reduce((oldest, key) => (since(key) < since(oldest) ? key : oldest))
  }

  return {
    currentKeyId: current.id,
    keyIds: keys.map((key) => key.id),

    seal: (place, text) => sealWith(current, randomBytes(ivLength), place, text),

    sealAlike(place, text, at) {
      const key = keyInUse(at)
      // Two texts never share an iv: it is a keyed hash of the text and its place.
      const secret = Buffer.from(hkdfSync('sha256', key.bytes, '', 'iv of texts sealed alike', 32))
      const iv = createHmac('sha256', secret).update(additionalData(key.id, place)).update(text, 'utf8').digest()
      return sealWith(key, iv.subarray(0, ivLength), place, text)
    },

    open(place, sealed) {
      const [, keyId = '', encoded = ''] = sealed.split('.')
      const bytes = byId.get(keyId)
      if (!bytes) throw new Error(`no encryption key "${keyId}" in ENCRYPTION_KEYS`)
      const raw = Buffer.from(encoded, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', bytes, raw.subarray(0, ivLength), { authTagLength: tagLength })
      decipher.setAAD(additionalData(keyId, place)).setAuthTag(raw.subarray(ivLength, ivLength + tagLength))
      return decipher.update(raw.subarray(ivLength + tagLength), undefined, 'utf8') + decipher.final('utf8')
    },

    isCurrent: (sealed) => sealed.startsWith(`${prefix}.${current.id}.`),

    derive(purpose) {
      const known = derived.get(purpose)
      if (known) return known
      const secrets = keys.map((key) => Buffer.from(hkdfSync('sha256', key.bytes, '', purpose, 32)))
      derived.set(purpose, secrets)
      return secrets
    },

    learnFirstUse(times) {
      firstUse = times
    },
  }
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
