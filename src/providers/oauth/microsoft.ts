import type { Http, HttpReply, HttpRequest } from '../../lib/outbound.ts'
import type { Grant, OAuth } from '../connect.ts'
import { reasonOf } from '../outcome.ts'
import { field, textField } from '../shared/reply-field.ts'
import { readIdToken } from './id-token.ts'

/**
 * An app registration of Microsoft Entra. Consent of an administrator:
 * https://learn.microsoft.com/en-us/entra/identity-platform/v2-admin-consent. Who somebody is: v2-protocols-oidc and
 * id-token-claims-reference there. The app's own token: v2-oauth2-client-creds-grant-flow there.
 */
export type MicrosoftApp = {
  clientId: string | undefined
  secretKey: string | undefined
  /** The tenant of the registration itself. */
  domain: string | undefined
  /** The authority, such as https://login.microsoftonline.com/organizations: where, and who may sign in. */
  host: string | undefined
}

export const microsoftOAuth: OAuth<MicrosoftApp> = {
  authorizeUrl({ credentials, mode, redirectUri, nonce, state, scope: asked = [] }) {
    const { clientId, secretKey } = credentials
    if (!clientId || !secretKey) return { fault: incomplete }
    const { origin, audience } = authorityOf(credentials)
    // Who signs in is known by openid alone.
    const scope =
      mode === 'link' ? [...new Set(['openid', 'profile', ...asked])] : asked.length > 0 ? asked : ['openid', 'profile']
    const common = { client_id: clientId, redirect_uri: redirectUri, state, scope: scope.join(' ') }
    if (mode === 'connect') return `${origin}/${audience}/v2.0/adminconsent?${new URLSearchParams(common)}`
    // People have several accounts, and Microsoft would take the one that is signed in.
    const query = { ...common, response_type: 'code', response_mode: 'query', nonce, prompt: 'select_account' }
    return `${origin}/${audience}/oauth2/v2.0/authorize?${new URLSearchParams(query)}`
  },

  home: async ({ credentials: { domain = '' } }) => (isGuid(domain) ? domain.toLowerCase() : undefined),

  async redeem(args) {
    const { credentials, query, mode } = args
    if (!credentials.clientId || !credentials.secretKey) return { fault: incomplete }
    const error = query.get('error')
    if (error) return { fault: declined(error, query.get('error_description') ?? '') }
    return mode === 'connect' ? redeemConsent(args) : redeemCode(args)
  },
}

const incomplete = 'the integration needs a client ID and a client secret'

/** A token of the app itself. `tenant`: where it acts. Undefined: something is missing. */
export function appTokenRequest(
  app: MicrosoftApp,
  { tenant, of }: { tenant?: string; of: 'bot' | 'graph' },
): HttpRequest | undefined {
  const { clientId, secretKey, domain } = app
  const { origin, cloud } = authorityOf(app)
  // A bot of the type Multi Tenant, of which no new ones are made, has its tokens from a tenant of Microsoft's.
  const at = tenant ?? (domain || cloud.botTenant)
  if (!clientId || !secretKey || !/^[a-zA-Z0-9.-]+$/.test(at)) return undefined
  return {
    url: `${origin}/${at}/oauth2/v2.0/token`,
    form: {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: secretKey,
      scope: `${cloud[of]}/.default`,
    },
  }
}

type Cloud = { bot: string; graph: string; botTenant: string }

const worldwide: Cloud = {
  bot: 'https://api.botframework.com',
  graph: 'https://graph.microsoft.com',
  botTenant: 'botframework.com',
}

/**
 * https://learn.microsoft.com/en-us/entra/identity-platform/authentication-national-cloud; of bots: governmentConstants.ts
 * of botbuilder-js, and https://docs.azure.cn/en-us/bot-service/how-to-deploy-china-cloud.
 */
const clouds: Readonly<Record<string, Cloud>> = {
  'login.microsoftonline.us': {
    bot: 'https://api.botframework.us',
    graph: 'https://graph.microsoft.us',
    botTenant: 'MicrosoftServices.onmicrosoft.us',
  },
  'login.partner.microsoftonline.cn': {
    bot: 'https://api.botframework.azure.cn',
    graph: 'https://microsoftgraph.chinacloudapi.cn',
    botTenant: 'microsoftservices.partner.onmschina.cn',
  },
}

function authorityOf({ host }: MicrosoftApp): { origin: string; audience: string; cloud: Cloud } {
  const { origin, hostname, pathname } = new URL(host || 'https://login.microsoftonline.com')
  return { origin, audience: pathname.split('/')[1] || 'organizations', cloud: clouds[hostname] ?? worldwide }
}

type Redeem = Parameters<OAuth<MicrosoftApp>['redeem']>[0]

/**
 * Anybody can write a tenant into the address, and Microsoft warns of it. Only where the app was consented to it gets a
 * token, so nobody connects a tenant that knows nothing of the app. That the visitor is of that tenant a sign-in proves.
 */
async function redeemConsent({ credentials, query, http }: Redeem): Promise<Grant | { fault: string }> {
  const tenant = (query.get('tenant') ?? '').toLowerCase()
  if (!/^true$/i.test(query.get('admin_consent') ?? '') || !isGuid(tenant)) {
    return { fault: 'Microsoft did not say that an administrator has consented' }
  }
  const { audience } = authorityOf(credentials)
  if (isGuid(audience) && audience.toLowerCase() !== tenant) return { fault: 'It was consented to in another tenant' }
  const request = appTokenRequest(credentials, { tenant, of: 'graph' })
  const reply = request ? await call(http, request) : { fault: incomplete }
  if ('fault' in reply) return { fault: `The tenant could not be confirmed: ${reply.fault}` }
  return textField(reply.json, 'access_token') ? { workspace: { id: tenant }, needsSignIn: true } : { fault: noToken }
}

const noToken = 'Microsoft answered without a token'

async function redeemCode(args: Redeem): Promise<Grant | { fault: string }> {
  const { credentials, query, http, redirectUri } = args
  const { clientId = '', secretKey = '' } = credentials
  const { origin, audience } = authorityOf(credentials)
  const code = query.get('code')
  if (!code) return { fault: 'Microsoft sent no code' }
  const reply = await call(http, {
    url: `${origin}/${audience}/oauth2/v2.0/token`,
    form: {
      grant_type: 'authorization_code',
      client_id: clientId,
      client_secret: secretKey,
      code,
      redirect_uri: redirectUri,
    },
  })
  if ('fault' in reply) return { fault: `The sign-in could not be confirmed: ${reply.fault}` }
  const issuer = (claims: object) => `${origin}/${textField(claims, 'tid')}/v2.0`
  const claims = readIdToken(field(reply.json, 'id_token'), { issuer, clientId, nonce: args.nonce, now: args.now })
  return 'fault' in claims ? { fault: `Microsoft: ${claims.fault}; begin again` } : toPerson(claims)
}

function toPerson(claims: object): Grant | { fault: string } {
  const [tid, oid] = [textField(claims, 'tid'), textField(claims, 'oid')]
  if (!isGuid(tid) || !isGuid(oid)) return { fault: 'Microsoft did not say who signed in' }
  return { workspace: { id: tid }, person: { type: 'ms_teams_user', endpoint: { userId: oid } } }
}

async function call(http: Http, request: HttpRequest): Promise<HttpReply | { fault: string }> {
  const answer = await http(request)
  if (answer.kind === 'fault') return { fault: answer.reason }
  return answer.status === 200 ? answer : { fault: refusal(answer) }
}

// https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-auth-code-flow, error codes of the token endpoint.
const refusals: Readonly<Record<string, string>> = {
  invalid_grant: 'it took too long, or was used before; begin again',
  invalid_client: 'Microsoft refused the client secret',
  unauthorized_client:
    'the app is not known in that tenant (where it was consented to just now, try again in a minute)',
}

function refusal(reply: HttpReply): string {
  const words = refusals[textField(reply.json, 'error')]
  const reason = firstLine(reasonOf(reply))
  return words ? `${words} (${reason})` : reason
}

const declines = ['access_denied', 'consent_required', 'permission_denied']

function declined(error: string, description: string): string {
  const said = firstLine(description) || error
  return declines.includes(error) ? `It was declined at Microsoft (${said})` : `Microsoft refused: ${said}`
}

/** After it come only ids for Microsoft's support. */
function firstLine(text: string): string {
  return (text.split(/[\r\n]| Trace ID:/)[0] ?? '').slice(0, 300)
}

function isGuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}
