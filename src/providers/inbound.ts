import type { Http } from '../lib/outbound.ts'
import type { Endpoint } from './endpoint.ts'
import type { TokenCache } from './provider-tools.ts'

/** What a vendor reports later about a message it accepted. */
export type Callback = {
  /**
   * `delivered`, `bounced` and `complained` move the message's state. `opened` and `clicked` also say that it arrived.
   * `unsubscribed`: the person asked the vendor for no more. `other`: kept as a line of the message's history, under
   * the vendor's own word (`name`).
   */
  kind: 'delivered' | 'bounced' | 'complained' | 'opened' | 'clicked' | 'unsubscribed' | 'other'
  /** The vendor's id, as `send` returned it. `messageId`: our id, if the vendor reports it. */
  externalId?: string
  messageId?: string
  address?: string
  /**
   * A bounce for good: the address must not be used again. Without it the bounce ends this message alone. `false` with
   * `complained` or `unsubscribed`: one of several recipients did it, nobody knows which, and none is suppressed.
   */
  permanent?: boolean
  reason?: string
  name?: string
}

/**
 * What a bot learns about people. `linked`: somebody opened the link with this code. `left`: a chat wants no more of it,
 * and `back`: it does again. `moved`: the vendor has another name for a chat now.
 */
export type PersonEvent =
  | { kind: 'linked'; code: string; endpoint: Endpoint }
  | { kind: 'left' | 'back'; endpoint: Endpoint }
  | { kind: 'moved'; from: Endpoint; to: Endpoint }

/** A vendor's call as it came. Header names are in lower case. */
export type InboundCall = {
  headers: Readonly<Record<string, string>>
  body: string
  /** What the vendor was told to call, with its query. */
  url: string
  signingKey: string
  /** Of the integration that is called, as `send` gets them. */
  credentials: Readonly<Record<string, unknown>>
  now: Date
  /** For a vendor's certificate, or for the address by which it wants to be confirmed. */
  http: Http
  cached: TokenCache
}

/** Thrown by `verify` and `handshake`: the call cannot be judged now, and the vendor should call again. */
export class NotNow extends Error {}

export type InboundReply = { type: 'text/plain' | 'application/json'; body: string }

/** How a vendor's calls are taken. */
export type Inbound = {
  /** A larger call is none of this vendor's, and is refused unread. */
  mostBytes: number
  /** What the tenant saves as the signing key: the vendor's name for it, and where it is found. */
  key: { label: string; help: string }
  /** The vendor signs nothing: the address it is given holds the key (`verify: hasKeyInUrl`). */
  keyInUrl?: true
  /** Each message names the address (`callbackUrl` of `send`): nothing has to be set up at the vendor. */
  perMessage?: true
  /** The vendor may report by GET: its query is read as a form. */
  byGet?: true
  /** Whether the call is the vendor's own, by the signature of the body as it came. */
  verify(call: InboundCall): boolean | Promise<boolean>
  /** Of a vendor that does not sign the body: what it signs instead, good for one call. Asked only after `verify`. */
  once?(call: Pick<InboundCall, 'body' | 'headers'>): string
  /** The events of one call. Those that say nothing new (accepted, queued, on its way) are left out. */
  read(call: Pick<InboundCall, 'body' | 'headers'>): Callback[]
  /** Of a bot: what the call tells about people. */
  people?(call: Pick<InboundCall, 'body' | 'headers'>): PersonEvent[]
  /** Answers a GET with which a vendor asks whether we listen. It checks by itself who asks. */
  challenge?(call: Pick<InboundCall, 'url' | 'signingKey' | 'credentials'>): InboundReply | undefined
  /** Answers a call that is no event but asks to be confirmed. Asked only after `verify`. */
  handshake?(call: InboundCall): Promise<InboundReply | undefined>
  /** What the vendor wants to read when all went well; by default JSON of ours. */
  reply?: InboundReply
}
