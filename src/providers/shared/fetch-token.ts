import type { Http, HttpRequest } from '../../lib/outbound.ts'
import { type Outcome, readReply } from '../outcome.ts'
import { field } from './reply-field.ts'

type Fetched = { token: string; expiresInMs: number } | { fault: Exclude<Outcome, { kind: 'sent' }> }

/**
 * A token for `cached`, from a reply like OAuth's (RFC 6749, 5.1). No message has left yet, so an unclear answer is a
 * retry, never unknown. A refusal is the integration's fault.
 */
export async function fetchToken(
  http: Http,
  request: HttpRequest,
  { paths = ['access_token'], defaultExpiresInMs = 60_000 }: { paths?: string[]; defaultExpiresInMs?: number } = {},
): Promise<Fetched> {
  let fetched: Fetched | undefined
  const outcome = readReply(await http(request), {
    success: ({ status, json }) => {
      const token = paths.map((path) => field(json, path)).find((value) => typeof value === 'string' && value !== '')
      if (typeof token !== 'string') return { kind: 'rejected', reason: `answered ${status} without a token` }
      const seconds = Number(field(json, 'expires_in'))
      fetched = { token, expiresInMs: seconds > 0 ? seconds * 1000 : defaultExpiresInMs }
      return { kind: 'sent' }
    },
  })
  if (fetched) return fetched
  switch (outcome.kind) {
    case 'retry':
      return { fault: outcome }
    case 'rejected':
      return { fault: { ...outcome, because: 'integration' } }
    case 'unknown':
    case 'sent':
      return { fault: { kind: 'retry', reason: outcome.kind === 'unknown' ? outcome.reason : 'no token came' } }
  }
}
