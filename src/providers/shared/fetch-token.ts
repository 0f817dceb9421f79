import type { Http, HttpRequest } from '../../lib/outbound.ts'
import { type Outcome, readReply } from '../outcome.ts'
import { signJwt } from './jwt.ts'
import { parseJson } from './parse-json.ts'
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

export type GoogleAccount = { email: string; key: string; keyId: unknown; project: string | undefined }

/** The JSON file of a service account, as Google gives it out. */
export function toGoogleAccount(text: string): GoogleAccount | undefined {
  const json = parseJson(text)
  const [email, key, project] = ['client_email', 'private_key', 'project_id'].map((name) => field(json, name))
  if (typeof email !== 'string' || typeof key !== 'string') return undefined
  return {
    email,
    key,
    keyId: field(json, 'private_key_id'),
    project: typeof project === 'string' ? project : undefined,
  }
}

const googleTokenUrl = 'https://oauth2.googleapis.com/token'

/** https://developers.google.com/identity/protocols/oauth2/service-account#httprest */
export async function fetchGoogleToken(
  http: Http,
  { account, scope, now }: { account: GoogleAccount; scope: string; now: Date },
): Promise<Fetched> {
  const iat = Math.floor(now.getTime() / 1000)
  const claims = { iss: account.email, scope, aud: googleTokenUrl, iat, exp: iat + 3600 }
  let assertion: string
  try {
    assertion = signJwt({ alg: 'RS256', header: { kid: account.keyId }, claims, key: account.key })
  } catch {
    const reason = 'the private_key of the service account is not a private key'
    return { fault: { kind: 'rejected', reason, because: 'integration' } }
  }
  const form = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }
  return fetchToken(http, { url: googleTokenUrl, form })
}
