import type { Http } from '../../../src/lib/outbound.ts'

type Call = { body: string; url: string; now: Date }

/** How a vendor proves what it calls us with: the key the tenant saves, and the call that carries the proof. */
export type Signer = {
  signingKey: string
  sign(call: Call): { body: string; headers: Record<string, string>; url?: string }
  /** What the vendor serves for its proof, such as a certificate. */
  http?: Http
  /**
   * How the vendor tells of one message in its documented form: arrived, bounced for good, and an event that we have no
   * kind for. Missing: it has none such.
   */
  events?(about: { externalId: string; messageId: string; to: string }): {
    delivered: string
    bounced?: string
    other?: string
  }
}

export const seconds = (now: Date) => String(Math.floor(now.getTime() / 1000))

/** Of vendors that sign nothing: the key is a part of the address. */
export const keyInUrl: Signer = {
  signingKey: 'key-in-url',
  sign: ({ body, url }) => ({ body, headers: {}, url: `${url}?key=key-in-url` }),
}
