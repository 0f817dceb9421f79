import type { Fault, HttpReply, HttpRequest, Mail, SmtpReply, SmtpServer } from '../../src/lib/outbound.ts'
import type { Connection } from '../../src/providers/connect.ts'
import type { Outcome } from '../../src/providers/outcome.ts'
import type { Mailbox, Provider } from '../../src/providers/provider.ts'
import type { TokenCache } from '../../src/providers/provider-tools.ts'
import { type Changes, givenTo, now, sampleFor } from './provider-samples.ts'

type Try = {
  credentials?: object
  /** Over the sample message of the channel. */
  message?: Changes
  /** The answers: one for every request, or in this order with the last one repeated. By default an empty 200. */
  http?: ((request: HttpRequest) => Partial<HttpReply> | Fault) | (Partial<HttpReply> | Fault)[]
  smtp?: SmtpReply | Fault
  /** Why the mail cannot be written as MIME. */
  unwritable?: string
  cached?: TokenCache
  now?: Date
  callbackUrl?: string
  connection?: Connection
}

/** What a provider sends by HTTP and SMTP, and its outcome: for cases that a table of one request cannot show. */
export function tryProvider(provider: Provider, tried: Try = {}) {
  const seen = {
    requests: [] as HttpRequest[],
    mails: [] as { server: SmtpServer; mail: Mail }[],
    verified: [] as SmtpServer[],
    boxed: [] as Parameters<Mailbox>[0][],
    composed: [] as Mail[],
  }
  const { http = [], smtp = accepted, unwritable } = tried
  const given = {
    http: async (request: HttpRequest): Promise<HttpReply | Fault> => {
      seen.requests.push(request)
      const answer = Array.isArray(http) ? http[Math.min(seen.requests.length, http.length) - 1] : http(request)
      return answer?.kind === 'fault' ? answer : { ...reply(200, answer?.json), ...answer }
    },
    smtp: {
      send: async (server: SmtpServer, mail: Mail) => {
        seen.mails.push({ server, mail })
        return smtp
      },
      verify: async (server: SmtpServer) => {
        seen.verified.push(server)
        return smtp
      },
      compose: async (mail: Mail) => {
        if (unwritable !== undefined) return { kind: 'fault', sent: false, reason: unwritable, refused: true } as const
        seen.composed.push(mail)
        return Buffer.from('mime')
      },
    },
    cached: tried.cached ?? ((_name, fetch) => fetch()),
    now: tried.now ?? now,
    credentials: givenTo(provider, tried.credentials ?? {}),
  }
  return {
    ...seen,
    async send(): Promise<Outcome | Outcome[]> {
      const mailbox: Mailbox = async (mail) => void seen.boxed.push(mail)
      const { callbackUrl, connection } = tried
      const message = sampleFor(provider, tried.message)
      const outcome = await provider.send?.({
        ...given,
        message,
        mailbox,
        ...(callbackUrl !== undefined && { callbackUrl }),
        ...(connection && { connection }),
      })
      if (!outcome) throw new Error(`${provider.id} gave no outcome`)
      return outcome
    },
    check: async () => provider.check?.(given),
  }
}

/** The same, sent once. */
export async function trySend(provider: Provider, tried: Try = {}) {
  const { send, ...seen } = tryProvider(provider, tried)
  return { ...seen, outcome: await send() }
}

export function reply(status: number, json?: unknown, headers: Record<string, string> = {}): HttpReply {
  return { kind: 'reply', status, headers, json, text: json === undefined ? '' : JSON.stringify(json) }
}

/** Keeps every token for ever: shows what is fetched once only. */
export function keepingCache(): TokenCache {
  const kept = new Map<string, { token: string }>()
  return async (name, fetch) => {
    const known = kept.get(name)
    if (known) return known
    const fetched = await fetch()
    if ('token' in fetched) kept.set(name, fetched)
    return fetched
  }
}

const accepted: SmtpReply = { kind: 'reply', code: 250, text: 'OK', stage: 'data' }
