import type { Fault, HttpReply, SmtpReply } from '../lib/outbound.ts'
import type { Endpoint } from './endpoint.ts'

/**
 * The outcome of one attempt. `retry`: certainly not accepted, but may be later. `rejected`: will never be accepted.
 * `unknown`: bytes left and no clear answer came, so it may have been sent.
 */
export type Outcome =
  /** `note`: accepted, but not for every recipient. `receipt`: what to ask the vendor for later (`receipts`). */
  | { kind: 'sent'; id?: string; note?: string; receipt?: string }
  /**
   * `paces`: the vendor asks us to wait, and nothing failed. `true`: with everything that goes through this integration.
   * `target`: with what goes to this address. `renew`: the connection's access token is no longer good, a new one is.
   * `movedTo`: the vendor has another name for this address now.
   */
  | { kind: 'retry'; reason: string; afterMs?: number; paces?: true | 'target'; renew?: true; movedTo?: Endpoint }
  /**
   * `integration`: refused for every recipient (revoked key). `connection`: for everybody in this workspace (the app was
   * removed there). `gone`: this address or token no longer exists. `suppressed`: by ourselves, because the address is
   * on the suppression list.
   */
  | { kind: 'rejected'; reason: string; because?: 'integration' | 'connection' | 'gone' | 'suppressed' }
  | { kind: 'unknown'; reason: string }

/** The result of a connection check. `unreachable` says nothing about the credentials. */
export type CheckResult = { kind: 'ok' } | { kind: 'refused'; reason: string } | { kind: 'unreachable'; reason: string }

type Readers = {
  /** Reads a 2xx, for APIs that answer 200 with an error inside. By default: sent. */
  success?: (reply: HttpReply) => Outcome
  /** Reads a status that means something special at this vendor; undefined: the common rules apply. */
  failure?: (reply: HttpReply) => Outcome | undefined
  /** The address called is the recipient's own: what it refuses or limits says nothing about the integration. */
  ofTarget?: true
}

/** The outcome by the common rules of HTTP statuses. */
export function readReply(answer: HttpReply | Fault, { success, failure, ofTarget }: Readers = {}): Outcome {
  if (answer.kind === 'fault') return readFault(answer)
  const { status } = answer
  if (status >= 200 && status < 300) return success ? success(answer) : { kind: 'sent' }
  const special = failure?.(answer)
  if (special) return special
  const reason = reasonOf(answer)
  if (status === 408 || status === 425 || status === 429 || status === 503) {
    const afterMs =
      retryAfterMs(answer.headers['retry-after']) ?? (status === 429 ? resetMs(answer.headers) : undefined)
    const paces = ofTarget ? 'target' : true
    return { kind: 'retry', reason, ...(afterMs !== undefined && { afterMs }), ...(status === 429 && { paces }) }
  }
  if (status === 401 || status === 402 || status === 403) {
    // 402: no credit left. This integration cannot send to anybody.
    return ofTarget ? { kind: 'rejected', reason } : { kind: 'rejected', reason, because: 'integration' }
  }
  // It failed while it had our request, and may have acted on it.
  if (status >= 500) return { kind: 'unknown', reason }
  return { kind: 'rejected', reason }
}

export function readFault({ sent, reason, refused }: Fault): Outcome {
  if (refused) return { kind: 'rejected', reason }
  return sent ? { kind: 'unknown', reason } : { kind: 'retry', reason }
}

/** Sent, with the vendor's id. A reply without the expected id is not a clear answer. */
export function sentWith(id: unknown, reply: HttpReply): Outcome {
  if (typeof id === 'string' && id !== '') return { kind: 'sent', id }
  if (typeof id === 'number') return { kind: 'sent', id: String(id) }
  return { kind: 'unknown', reason: `answered ${reply.status} without the id it promises: ${reply.text.slice(0, 200)}` }
}

// RFC 4954, section 6: a login is wanted, one that is stronger, the right one, or one behind TLS.
const loginCodes = [530, 534, 535, 538]

/**
 * RFC 5321: 2yz is accepted, 4yz may be later, 5yz never. A refused login is the integration's fault, whenever it is
 * told of, and so is a server that refuses us before it has heard of any mail.
 */
export function readSmtp(answer: SmtpReply | Fault): Outcome {
  if (answer.kind === 'fault') return readFault(answer)
  const reason = `SMTP ${answer.code} ${answer.text}`.slice(0, 500)
  if (answer.code >= 200 && answer.code < 300) {
    return { kind: 'sent', ...(answer.refused !== undefined && { note: answer.refused }) }
  }
  if (answer.code >= 400 && answer.code < 500) return { kind: 'retry', reason }
  const isOurs = answer.stage === 'connect' || answer.stage === 'auth' || loginCodes.includes(answer.code)
  return { kind: 'rejected', reason, ...(isOurs && { because: 'integration' }) }
}

export function readCheck(answer: HttpReply | SmtpReply | Fault): CheckResult {
  if (answer.kind === 'fault') {
    return { kind: answer.refused ? 'refused' : 'unreachable', reason: answer.reason }
  }
  if ('code' in answer) {
    if (answer.code < 400) return { kind: 'ok' }
    return {
      kind: answer.code < 500 ? 'unreachable' : 'refused',
      reason: `SMTP ${answer.code} ${answer.text}`.slice(0, 500),
    }
  }
  if (answer.status < 300) return { kind: 'ok' }
  const isTemporary = answer.status === 408 || answer.status === 429 || answer.status >= 500
  return { kind: isTemporary ? 'unreachable' : 'refused', reason: reasonOf(answer) }
}

/** The status and the vendor's error text, wherever the vendor puts it. */
export function reasonOf({ status, json, text }: HttpReply): string {
  return `${status} ${errorTextIn(json) ?? text.replace(/\s+/g, ' ').trim()}`.trim().slice(0, 500)
}

const errorTextFields = [
  'message',
  'error_description',
  'description',
  'detail',
  'error',
  'title',
  'errors',
  'reason',
  'code',
]

function errorTextIn(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string' && value !== '') return value
  if (typeof value !== 'object' || value === null || depth > 3) return undefined
  if (Array.isArray(value)) return errorTextIn(value[0], depth + 1)
  const own = new Map(Object.entries(value))
  for (const name of errorTextFields) {
    const errorText = errorTextIn(own.get(name), depth + 1)
    if (errorText !== undefined) return errorText
  }
  return undefined
}

/** Reads seconds or an HTTP date, otherwise undefined. The caller limits the value. */
export function retryAfterMs(header: string | undefined, now = Date.now()): number | undefined {
  const text = header?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000
  // Date.parse alone accepts almost any text.
  const date = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

// The IETF's draft, which Resend follows; Braze; SendGrid, Braze and many others; Brevo.
const resetHeaders = ['ratelimit-reset', 'x-ratelimit-retry-after', 'x-ratelimit-reset', 'x-sib-ratelimit-reset']

/** For vendors that say when their limit resets: in seconds from now, or as seconds or milliseconds since 1970. */
export function resetMs(headers: Readonly<Record<string, string>>, now = Date.now()): number | undefined {
  const said = resetHeaders.map((name) => headers[name]).find((value) => /^\d{1,13}(\.\d+)?$/.test(value?.trim() ?? ''))
  if (said === undefined) return undefined
  const value = Number(said)
  if (value < 1e9) return value * 1000
  return Math.max(0, (value < 1e12 ? value * 1000 : value) - now)
}
