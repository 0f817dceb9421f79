import { randomUUID } from 'node:crypto'

/** A stand-in for login.microsoftonline.com, as the documentation has it. */
export type LoginOptions = {
  clientId: string
  secretKey: string
  /** The tenant of the app registration. */
  tenant: string
  /** By default the app registration is for every tenant. */
  singleTenant?: true
  redirectUris: readonly string[]
  tokenLifeMs?: number
  now(): number
  /** Who sits in front of the pages. An administrator consents for his tenant. */
  visitor(): { userId: string; tenant: string }
}

export type Answered = { status: number; headers?: Record<string, string>; body?: string; json?: unknown }

type Token = { tenant: string; scope: string; expires: number }
type Code = { redirectUri: string; nonce: string; userId: string; tenant: string; expires: number }

const codeLifeMs = 10 * 60_000

export function createLogin(options: LoginOptions) {
  const { clientId, secretKey, tenant: home, tokenLifeMs = 3_600_000, now } = options
  const consented = new Set([home])
  const tokens = new Map<string, Token>()
  const codes = new Map<string, Code>()

  /** Undefined: no page of the login's. `origin`: of the address that was called. */
  const answer = (method: string, url: URL, form: URLSearchParams): Answered | undefined => {
    const [, audience = '', page] =
      /^\/([^/]+)\/(v2\.0\/adminconsent|oauth2\/v2\.0\/(?:authorize|token))$/.exec(url.pathname) ?? []
    if (!page) return undefined
    if (page.endsWith('token')) return method === 'POST' ? token(url.origin, audience, form) : { status: 405 }
    const fault = pageFault(audience, page, url.searchParams)
    if (fault)
      return {
        status: 400,
        body: `<h1>Sign in</h1><p>Sorry, but we’re having trouble signing you in.</p><p>${escaped(fault)}</p>`,
      }
    const pressed = url.searchParams.get('button')
    if (!pressed) return { status: 200, headers: { 'content-type': 'text/html' }, body: toPage(url.searchParams) }
    const asked = url.searchParams
    const result = page.endsWith('adminconsent') ? consent(asked, pressed) : authorize(asked, pressed)
    const target = new URL(asked.get('redirect_uri') ?? '')
    for (const [name, value] of Object.entries({ ...result, state: asked.get('state') ?? '' })) {
      target.searchParams.set(name, value)
    }
    return { status: 302, headers: { location: target.href } }
  }

  const pageFault = (audience: string, page: string, asked: URLSearchParams): string | undefined => {
    if (asked.get('client_id') !== clientId)
      return `AADSTS700016: Application '${asked.get('client_id')}' was not found.`
    if (!options.redirectUris.includes(asked.get('redirect_uri') ?? '')) {
      return `AADSTS50011: The redirect URI '${asked.get('redirect_uri')}' does not match the redirect URIs configured.`
    }
    if (!asked.get('scope')) return 'AADSTS900144: The request must contain the following parameter: scope.'
    if (audience === 'common' && page.endsWith('adminconsent')) return 'AADSTS90009: use a tenant or organizations.'
    if (options.singleTenant && audience !== home)
      return 'AADSTS50194: Application is not configured as a multi-tenant application.'
    return undefined
  }

  const consent = (asked: URLSearchParams, pressed: string): Record<string, string> => {
    const { tenant } = options.visitor()
    const common = { admin_consent: 'True', tenant }
    if (pressed !== 'Accept') {
      const said = 'AADSTS65004: The resource owner or authorization server denied the request.\r\nTrace ID: 1'
      return { ...common, error: 'consent_required', error_description: said }
    }
    consented.add(tenant)
    return { ...common, scope: asked.get('scope') ?? '' }
  }

  const authorize = (asked: URLSearchParams, pressed: string): Record<string, string> => {
    if (pressed !== 'Accept')
      return { error: 'access_denied', error_description: 'the user canceled the authentication' }
    const code = `0.A${randomUUID()}`
    const { redirect_uri: redirectUri = '', nonce = '' } = Object.fromEntries(asked)
    codes.set(code, { redirectUri, nonce, ...options.visitor(), expires: now() + codeLifeMs })
    return { code }
  }

  const token = (origin: string, audience: string, form: URLSearchParams): Answered => {
    if (form.get('client_id') !== clientId)
      return refuse(400, 'unauthorized_client', 'AADSTS700016: Application not found.')
    if (form.get('client_secret') !== secretKey) {
      return refuse(401, 'invalid_client', 'AADSTS7000215: Invalid client secret provided.')
    }
    return form.get('grant_type') === 'client_credentials' ? appToken(audience, form) : idToken(origin, form)
  }

  const appToken = (tenant: string, form: URLSearchParams): Answered => {
    const scope = form.get('scope') ?? ''
    if (!scope.endsWith('/.default'))
      return refuse(400, 'invalid_scope', `AADSTS1002012: The scope ${scope} is not valid.`)
    if (!consented.has(tenant)) {
      const said = `AADSTS700016: Application with identifier '${clientId}' was not found in the directory '${tenant}'.`
      return refuse(400, 'unauthorized_client', said)
    }
    const access_token = `app-${randomUUID()}`
    tokens.set(access_token, { tenant, scope, expires: now() + tokenLifeMs })
    return { status: 200, json: { token_type: 'Bearer', expires_in: tokenLifeMs / 1000, access_token } }
  }

  const idToken = (origin: string, form: URLSearchParams): Answered => {
    const code = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    if (!code || code.expires <= now())
      return refuse(400, 'invalid_grant', 'AADSTS54005: OAuth2 Authorization code was already redeemed.')
    if (code.redirectUri !== form.get('redirect_uri'))
      return refuse(400, 'invalid_grant', 'AADSTS50011: The redirect URI does not match.')
    const claims = {
      aud: clientId,
      iss: `${origin}/${code.tenant}/v2.0`,
      exp: Math.floor((now() + 3_600_000) / 1000),
      nonce: code.nonce,
      oid: code.userId,
      tid: code.tenant,
      sub: 'pairwise',
    }
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const id_token = `${part({ typ: 'JWT', alg: 'RS256' })}.${part(claims)}.c2lnbmVk`
    return { status: 200, json: { token_type: 'Bearer', expires_in: 3600, access_token: 'a', id_token } }
  }

  return {
    answer,
    /** Whether the Bot Connector takes it: a single-tenant bot's token is of its own tenant. */
    isBots(authorization: string | undefined): boolean {
      const token = tokens.get(authorization?.replace(/^Bearer /, '') ?? '')
      return (
        token !== undefined && token.expires > now() && token.tenant === home && token.scope.includes('botframework')
      )
    },
  }
}

function refuse(status: number, error: string, description: string): Answered {
  return { status, json: { error, error_description: `${description} Trace ID: 1 Correlation ID: 2`, error_codes: [] } }
}

/** Two buttons, as on Microsoft's page. */
function toPage(asked: URLSearchParams): string {
  const fields = [...asked].map(
    ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
  )
  const buttons = ['Cancel', 'Accept'].map((name) => `<button name="button" value="${name}">${name}</button>`)
  return `<!doctype html><title>Permissions requested</title><h1>Permissions requested</h1><form>${[...fields, ...buttons].join('')}</form>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
