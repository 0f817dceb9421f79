import type { HttpReply } from '../../lib/outbound.ts'
import { type Outcome, readCheck, readReply, reasonOf, retryAfterMs, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text, url } from '../provider.ts'
import { basicAuth } from '../shared/basic-auth.ts'
import { joinUrl } from '../shared/join-url.ts'
import { bytesOf, refuseLargePush } from '../shared/push-size.ts'
import { field } from '../shared/reply-field.ts'

/**
 * Published as JSON; device tokens are topics. It has no place for data that nobody sees. Settled by
 * https://docs.ntfy.sh/publish/ and by the server: https://github.com/binwiederhier/ntfy, server/errors.go (the codes)
 * and server/server.go (which of them come before anything is published).
 */
export default defineProvider({
  id: 'ntfy',
  channel: 'push',
  displayName: 'ntfy',
  documentation: 'https://docs.ntfy.sh/publish/#publish-as-json',
  verified: 'documentation',
  traceable: true,
  needs: 'nothing for open topics; otherwise an access token, or user and password',
  credentials: {
    baseUrl: named(optional(url), 'Server', 'Of your own; by default https://ntfy.sh.'),
    apiToken: named(optional(secret), 'Access token', 'Begins with tk_. For topics that are not open to everybody.'),
    user: named(optional(text), 'User', 'Instead of an access token, with the password.'),
    password: optional(secret),
  },
  endpoints: ['ntfy_topic'],

  async send({ credentials, message, http }) {
    const server = credentials.baseUrl ?? publicServer
    const content = {
      title: message.title || undefined,
      message: message.body,
      // Apps show the newest of one sequence only, from 2.16 on: a message sent twice is shown once.
      sequence_id: message.id,
      ...message.overrides,
    }
    // Your own server says for itself what is too long (`message-size-limit`).
    const isPublic = new URL(server).hostname === new URL(publicServer).hostname
    // A longer text would arrive as a file.
    const tooLarge = isPublic ? refuseLargePush('ntfy', bytesOf(content.message)) : undefined
    if (tooLarge) return tooLarge
    const answer = await http({
      url: joinUrl(server, ''),
      headers: headersOf(credentials),
      // The topic last: the outcome is this topic's.
      json: { ...content, topic: message.token },
    })
    return readReply(answer, { success: (reply) => sentWith(field(reply.json, 'id'), reply), failure })
  },

  /** Answers to everybody who brings no wrong credentials. */
  check: async ({ credentials, http }) => {
    const accountUrl = joinUrl(credentials.baseUrl ?? publicServer, 'v1/account')
    return readCheck(await http({ method: 'GET', url: accountUrl, headers: headersOf(credentials) }))
  },
})

const publicServer = 'https://ntfy.sh'

type Login = { apiToken: string | undefined; user: string | undefined; password: string | undefined }

function headersOf({ apiToken, user, password }: Login): Record<string, string> {
  if (apiToken) return { authorization: `Bearer ${apiToken}` }
  return user ? { authorization: basicAuth(user, password ?? '') } : {}
}

/** 401 is the integration's fault, and 429 the limit of everything that it sends, but for what is named here. */
function failure(reply: HttpReply): Outcome | undefined {
  const reason = reasonOf(reply)
  // Whoever we are, we may not write to this topic: it is reserved, or not open to everybody.
  if (reply.status === 403) return { kind: 'rejected', reason }
  switch (field(reply.json, 'code')) {
    // The topic is of UnifiedPush, and no app listens to it now. It is told before anything is published.
    case 50701:
      return { kind: 'retry', reason, paces: 'target' }
    // No room on the server for a new topic; no more e-mails or calls, which one trigger asked for.
    case 42904:
    case 42902:
    case 42910: {
      const afterMs = retryAfterMs(reply.headers['retry-after'])
      return { kind: 'retry', reason, paces: 'target', ...(afterMs !== undefined && { afterMs }) }
    }
    default:
      return undefined
  }
}
