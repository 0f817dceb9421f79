/** The package has no types: as much of it as we use. */
declare module 'http_ece' {
  import type { ECDH } from 'node:crypto'

  type Encryption = {
    version: 'aes128gcm'
    /** The receiver's public key, and the secret it shares with us. */
    dh: Buffer
    authSecret: Buffer
    /** Ours, made for this one message. */
    privateKey: ECDH
  }
  const ece: { encrypt(plain: Buffer, encryption: Encryption): Buffer }
  export default ece
}
