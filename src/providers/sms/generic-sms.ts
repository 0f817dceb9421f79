import type { Http } from '../../lib/outbound.ts'
import { readReply, sentWith } from '../outcome.ts'
import { defineProvider, flag, named, optional, secret, text, url, where } from '../provider.ts'
import { fetchToken } from '../shared/fetch-token.ts'
import { field } from '../shared/reply-field.ts'
import { signWebhook } from '../shared/standard-webhooks.ts'

/**
 * Any gateway that takes JSON over HTTP. It gets our id as `webhook-id` and may drop what it has already; as nobody
 * promises that it does, this provider claims no idempotency.
 */
export default defineProvider({
  id: 'generic-sms',
  channel: 'sms',
  displayName: 'SMS Webhook',
  documentation: 'https://www.standardwebhooks.com',
  verified: 'our own',
  traceable: true,
  credentials: {
    baseUrl: named(url, 'URL of the gateway', 'Each message is posted to it as JSON.'),
    apiKeyRequestHeader: named(text, 'Header of the API key', 'Like X-Api-Key.'),
    apiKey: named(secret, 'API key', 'Sent in its header.'),
    secretKeyRequestHeader: named(optional(text), 'Header of the secret key', 'Like X-Api-Secret.'),
    secretKey: named(
      optional(secret),
      'Secret key',
      'Sent in its header. Without a header it is never sent, but signs the body as in Standard Webhooks.',
    ),
    idPath: named(optional(text), 'Path of the id in the reply', '“id” unless given.'),
    authenticateByToken: named(where(flag), 'Authenticate by a token', 'A token is fetched first.'),
    domain: named(optional(url), 'URL of the token', 'The keys are posted to it, and a token comes back.'),
    authenticationTokenKey: named(optional(text), 'Header of the token', 'Also the field of the reply that holds it.'),
    from: named(optional(text), 'Sender', 'Goes to the gateway as “from” and as “sender”.'),
  },
  missing({ authenticateByToken, ...others }) {
    const names = ['domain', 'authenticationTokenKey'] as const
    return authenticateByToken ? names.filter((name) => !others[name]) : []
  },

  async send({ credentials, message, http, cached, now }) {
    const access = credentials.authenticateByToken
      ? await cached('generic-sms', () => fetchAccess(credentials, http))
      : undefined
    if (access && 'fault' in access) return access.fault
    const { idPath, secretKey, secretKeyRequestHeader, authenticationTokenKey } = credentials
    const body = JSON.stringify({
      id: message.id,
      to: message.to,
      from: message.from,
      // Many gateways were built for a sender under this name.
      sender: message.from,
      content: message.content,
      ...message.overrides,
    })
    const answer = await http({
      url: credentials.baseUrl,
      headers: {
        ...(access && authenticationTokenKey ? { [authenticationTokenKey]: access.token } : keysOf(credentials)),
        'content-type': 'application/json',
        ...(await signWebhook({ id: message.id, secret: secretKeyRequestHeader ? undefined : secretKey, body, now })),
      },
      body,
    })
    return readReply(answer, {
      success: (reply) => {
        const id = field(reply.json, idPath || 'id')
        // Who does not say where the id is may have none.
        return idPath || id !== undefined ? sentWith(id, reply) : { kind: 'sent' }
      },
    })
  },
})

type Keys = {
  apiKeyRequestHeader: string
  apiKey: string
  secretKeyRequestHeader: string | undefined
  secretKey: string | undefined
}

function keysOf({ apiKeyRequestHeader, apiKey, secretKeyRequestHeader, secretKey }: Keys): Record<string, string> {
  return {
    [apiKeyRequestHeader]: apiKey,
    ...(secretKeyRequestHeader && secretKey && { [secretKeyRequestHeader]: secretKey }),
  }
}

type TokenKeys = Keys & { domain: string | undefined; authenticationTokenKey: string | undefined }

/** Gateways want the keys as headers or as fields, and answer with a token under a name of their own. */
async function fetchAccess(credentials: TokenKeys, http: Http): ReturnType<typeof fetchToken> {
  const { domain, authenticationTokenKey: name } = credentials
  if (!domain || !name) {
    const reason = 'authenticateByToken needs domain and authenticationTokenKey'
    return { fault: { kind: 'rejected', reason, because: 'integration' } }
  }
  const keys = keysOf(credentials)
  const paths = [name, `data.${name}`, 'token', 'access_token', 'data.token', 'data.access_token']
  return fetchToken(http, { url: domain, headers: keys, json: keys }, { paths })
}
