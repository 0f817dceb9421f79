import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

export type EncryptionKey = { id: string; bytes: Buffer }

/** The newest key seals; every key opens. */
export type Sealer = {
  currentKeyId: string
  keyIds: readonly string[]
  /** `place`: where the text is stored; opening it for any other place fails. */
  seal(place: readonly string[], text: string): string
  open(place: readonly string[], sealed: string): string
  isCurrent(sealed: string): boolean
  /** Secrets for one purpose, newest first, so that what an older key signed still verifies. */
  derive(purpose: string): readonly Buffer[]
}

// sealed text: "sealed.<key id>.<base64url of iv, tag, ciphertext>"
const prefix = 'sealed'
const ivLength = 12
const tagLength = 16

export function createSealer(keys: readonly EncryptionKey[]): Sealer {
  const [current] = keys
  if (!current) throw new Error('at least one encryption key is needed')
  const byId = new Map(keys.map((key) => [key.id, key.bytes]))
  const derived = new Map<string, readonly Buffer[]>()

  return {
    currentKeyId: current.id,
    keyIds: keys.map((key) => key.id),

    seal(place, text) {
      const iv = randomBytes(ivLength)
      const cipher = createCipheriv('aes-256-gcm', current.bytes, iv).setAAD(additionalData(current.id, place))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return `${prefix}.${current.id}.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`
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
  }
}

export function sha256(...parts: readonly (string | Buffer)[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(`${part.length}:`).update(part)
  return hash.digest()
}

function additionalData(keyId: string, place: readonly string[]): Buffer {
  return sha256(keyId, ...place)
}
