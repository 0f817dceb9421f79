import type { Http, HttpReply } from '../../lib/outbound.ts'
import type { Auth, Grant, OAuth } from '../connect.ts'
import { type Outcome, readFault, readReply, reasonOf } from '../outcome.ts'
import { basicAuth } from '../shared/basic-auth.ts'
import { joinUrl } from '../shared/join-url.ts'
import { field, textField } from '../shared/reply-field.ts'
import { readIdToken } from './id-token.ts'

/**
 * Slack's app is installed by OAuth, and people say who they are by OpenID Connect ("Sign in with Slack"; the scopes
 * `identity.…` are the legacy way). Settled by https://docs.slack.dev/authentication/installing-with-oauth,
 * …/authentication/sign-in-with-slack, …/reference/methods/oauth.v2.access and …/openid.connect.token. Both methods
 * take the client's secret by Basic; for the second https://slack.com/.well-known/openid-configuration says so.
 *
 * Token rotation, by https://docs.slack.dev/authentication/using-token-rotation: an access token lives for 12 hours. A
 * refresh token is meant to be used once, and is revoked a short grace period after its use; how long that is, nobody
 * says. So a refresh whose answer got lost may be tried again at once, and is refused later. A refresh does not end the
 * access token before it, but of more than two that live the oldest is revoked.
 */
export const slackOAuth: OAuth<SlackApp> = {
  authorizeUrl({ credentials, mode, redirectUri, state, nonce, scope }) {
    const { clientId } = credentials
    if (!clientId) return { fault: noApp }
    const query =
      mode === 'connect'
        ? { client_id: clientId, scope: (scope ?? botScopes).join(','), redirect_uri: redirectUri, state }
        : {
            response_type: 'code',
            client_id: clientId,
            scope: [...new Set(['openid', ...(scope ?? [])])].join(' '),
            redirect_uri: redirectUri,
            state,
            nonce,
          }
    const path = mode === 'connect' ? 'oauth/v2/authorize' : 'openid/connect/authorize'
    return `${joinUrl(slackUrl(credentials), path)}?${new URLSearchParams(query)}`
  },

  async redeem({ credentials, mode, redirectUri, nonce, query, http, now }) {
    const refused = query.get('error')
    if (refused) return { fault: inWords(refused) }
    const code = query.get('code')
    if (!code) return { fault: 'Slack sent no code' }
    const form = { code, redirect_uri: redirectUri }
    if (mode === 'connect') {
      const { reply, fault } = await askToken(http, credentials, 'oauth.v2.access', form)
      return reply ? toInstallation(reply.json, now) : { fault }
    }
    const grant = { ...form, grant_type: 'authorization_code' }
    const { reply, fault } = await askToken(http, credentials, 'openid.connect.token', grant)
    if (!reply) return { fault }
    const issuer = new URL(slackUrl(credentials)).origin
    const claims = readIdToken(field(reply.json, 'id_token'), {
      issuer,
      clientId: credentials.clientId ?? '',
      nonce,
      now,
    })
    return 'fault' in claims ? { fault: `Slack: ${claims.fault}` } : toPerson(claims)
  },

  async home({ credentials, http }) {
    const { apiToken } = credentials
    if (!apiToken) return null
    const headers = { authorization: `Bearer ${apiToken}` }
    const answer = await http({ url: joinUrl(slackUrl(credentials), 'api/auth.test'), headers, form: {} })
    return (answer.kind === 'reply' && textField(answer.json, 'team_id')) || undefined
  },

  async refresh({ credentials, refreshToken, http, now }) {
    const asked = await askToken(http, credentials, 'oauth.v2.access', {
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
    })
    if (!asked.reply) return { fault: asked.outcome }
    const auth = toAuth(asked.reply.json, now)
    // Without another one the old one is all there is.
    return auth ? { refreshToken, ...auth } : { fault: { kind: 'retry', reason: 'Slack answered without a token' } }
  },
}

/** What is read of the integration's credentials. */
export type SlackApp = {
  apiToken: string | undefined
  clientId: string | undefined
  secretKey: string | undefined
  baseUrl: string | undefined
}

/** GovSlack is the same at https://slack-gov.com. */
export function slackUrl({ baseUrl }: { baseUrl: string | undefined }): string {
  return baseUrl || 'https://slack.com'
}

/** People need no scope of their own: chat.postMessage opens the conversation. */
const botScopes = ['chat:write', 'chat:write.public', 'channels:read', 'groups:read', 'users:read', 'users:read.email']

const noApp = "the integration needs the client ID and the client secret of a Slack app ('Basic Information')"

type Asked =
  | { reply: HttpReply; fault?: undefined; outcome?: undefined }
  | { reply?: undefined; fault: string; outcome: Outcome }

/** Both methods answer 200 with `ok: false`, and some errors of OpenID with a 400 and the same words. */
async function askToken(
  http: Http,
  { clientId, secretKey, baseUrl }: SlackApp,
  method: string,
  form: Record<string, string>,
): Promise<Asked> {
  if (!clientId || !secretKey) {
    return { fault: noApp, outcome: { kind: 'rejected', reason: noApp, because: 'integration' } }
  }
  const headers = { authorization: basicAuth(clientId, secretKey) }
  const answer = await http({ url: joinUrl(slackUrl({ baseUrl }), `api/${method}`), headers, form })
  if (answer.kind === 'fault') {
    const outcome: Outcome = answer.refused ? readFault(answer) : { kind: 'retry', reason: answer.reason }
    return { fault: `Slack was not reached: ${answer.reason}`, outcome }
  }
  if (answer.status < 300 && field(answer.json, 'ok') === true) return { reply: answer }
  const error = textField(answer.json, 'error')
  return { fault: error ? inWords(error) : `Slack answered ${reasonOf(answer)}`, outcome: toOutcome(answer, error) }
}

const ofApp = ['bad_client_secret', 'invalid_client_id', 'invalid_client']
const passing = ['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout', 'team_added_to_org']

/** No message has left: what is unclear is tried again. */
function toOutcome(reply: HttpReply, error: string): Outcome {
  const reason = reasonOf(reply)
  const common = readReply(reply, { success: () => ({ kind: 'unknown', reason }) })
  if (reply.status === 429 || error === 'ratelimited') {
    const afterMs = common.kind === 'retry' ? common.afterMs : undefined
    return { kind: 'retry', reason, ...(afterMs !== undefined && { afterMs }) }
  }
  if (ofApp.includes(error)) return { kind: 'rejected', reason, because: 'integration' }
  if (error && !passing.includes(error)) return { kind: 'rejected', reason, because: 'connection' }
  return common.kind === 'rejected' ? common : { kind: 'retry', reason }
}

const words: Readonly<Record<string, string>> = {
  access_denied: 'it was not allowed in Slack',
  invalid_code: 'the code of Slack is too old or was used already: start again',
  invalid_grant: 'the code of Slack is too old or was used already: start again',
  bad_redirect_uri: "the redirect URL is not the one that was asked with, or not among the app's Redirect URLs",
  bad_client_secret: "the client secret is not the app's",
  invalid_client: "the client ID or the client secret is not the app's",
  invalid_client_id: 'Slack knows no app with this client ID',
  oauth_authorization_url_mismatch: 'the code is of another kind of login: start again',
  cannot_install_an_org_installed_app: 'the app is installed for the whole organization, not for one workspace',
  org_login_required: 'the workspace is being moved into an organization: try again later',
  team_added_to_org: 'the workspace is being moved into an organization: try again later',
  no_scopes: 'no scopes were asked for',
  two_factor_setup_required: 'the workspace wants two-factor authentication first',
  user_email_unverified: 'the person has not confirmed the e-mail address in Slack',
  ratelimited: 'Slack takes no more now: try again later',
  service_unavailable: 'Slack is not available now: try again later',
  internal_error: 'Slack failed: try again later',
  fatal_error: 'Slack failed: try again later',
}

function inWords(error: string): string {
  return Object.hasOwn(words, error) ? `${words[error]} (${error})` : `Slack refused (${error.slice(0, 100)})`
}

function toInstallation(json: unknown, now: Date): Grant | { fault: string } {
  const auth = toAuth(json, now)
  // An app that is installed for an organization has no workspace of its own.
  const from = textField(json, 'team.id') ? 'team' : 'enterprise'
  const [id, name] = [textField(json, `${from}.id`), textField(json, `${from}.name`)]
  if (!auth || !id) return { fault: 'Slack gave no token of a bot: the scopes need one that a bot may have' }
  const botUserId = textField(json, 'bot_user_id')
  const userId = textField(json, 'authed_user.id')
  const url = textField(json, 'incoming_webhook.url')
  return {
    workspace: { id, ...(name && { name }), ...(botUserId && { botUserId }) },
    auth,
    ...(userId && { person: { type: 'slack_user', endpoint: { userId } } }),
    ...(url && { webhook: { type: 'webhook', endpoint: { url } } }),
  }
}

function toAuth(json: unknown, now: Date): Auth | undefined {
  const accessToken = textField(json, 'access_token')
  const refreshToken = textField(json, 'refresh_token')
  const seconds = Number(field(json, 'expires_in'))
  if (!accessToken) return undefined
  return {
    accessToken,
    ...(refreshToken && { refreshToken }),
    ...(seconds > 0 && { expiresAt: new Date(now.getTime() + seconds * 1000) }),
  }
}

function toPerson(claims: object): Grant | { fault: string } {
  const own = new Map<string, unknown>(Object.entries(claims))
  const userId = own.get('https://slack.com/user_id') ?? own.get('sub')
  const id = own.get('https://slack.com/team_id')
  const name = own.get('https://slack.com/team_name')
  if (typeof userId !== 'string' || userId === '') return { fault: 'Slack did not say who it was' }
  return {
    ...(typeof id === 'string' && { workspace: { id, ...(typeof name === 'string' && { name }) } }),
    person: { type: 'slack_user', endpoint: { userId } },
  }
}
