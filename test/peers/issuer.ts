import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

export type IssuerAccount = {
  email?: string
  email_verified?: boolean
  name?: string
  groups?: string[]
}

type Token = { header: Record<string, unknown>; claims: Record<string, unknown> }
/** Bends the ID token on its way out, as an issuer might that is faulty or not honest. */
export type Bend = (token: Token, tools: { rs256(token: Token, by?: KeyObject): string; otherKey: KeyObject }) => string

export type Issuer = {
  url: string
  port: number
  clientId: string
  clientSecret: string
  accounts: Map<string, IssuerAccount>
  /** What it answers itself with at these paths, in place of what is right; `hang`: nothing at all. */
  answers: Map<string, { status: number; body: string } | 'hang'>
  bend: Bend | null
  /** How often each path was asked for. */
  asked: Map<string, number>
  /** Goes through its pages as this account, and answers the address that it sends the browser to. */
  visit(url: string, account: string): Promise<URL>
  close(): Promise<void>
}

type Options = {
  redirectUris: readonly string[]
  /** Claims are in the ID token itself, and not only in what it answers about a person. */
  inToken?: boolean
}

/** A real OpenID provider on loopback. Its page asks only who one wants to be. */
export async function startIssuer({ redirectUris, inToken = false }: Options): Promise<Issuer> {
  const [clientId, clientSecret] = ['tidings', 'a secret of the issuer 7f3a']
  const own = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const accounts: Issuer['accounts'] = new Map()
  const answers: Issuer['answers'] = new Map()
  const asked: Issuer['asked'] = new Map()
  let handle = (_request: IncomingMessage, response: ServerResponse): unknown => response.end()
  const server = createServer((request, response) => handle(request, response))
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const provider = new Provider(url, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [...redirectUris] }],
    jwks: { keys: [{ ...own.privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'own' }] },
    cookies: { keys: ['of the test'] },
    claims: { email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
    scopes: ['openid', 'email', 'profile', 'groups'],
    conformIdTokenClaims: !inToken,
    features: { devInteractions: { enabled: false } },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: async (_ctx, accountId) => {
      const known = accounts.get(accountId)
      return known && { accountId, claims: async () => ({ sub: accountId, ...known }) }
    },
    // Nobody is asked whether we may know them.
    async loadExistingGrant(ctx) {
      const grant = new provider.Grant({ clientId, accountId: ctx.oidc.session?.accountId ?? '' })
      grant.addOIDCScope('openid email profile groups')
      await grant.save()
      return grant
    },
  })
  const whole = provider.callback()
  const page = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === 'GET') {
      response.setHeader('content-type', 'text/html')
      response.end(
        '<!doctype html><title>Issuer</title><link rel="icon" href="data:,"><h1>Who are you?</h1><form method="post"><label>Account <input name="account"></label><button>Sign in</button></form>',
      )
      return
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const accountId = new URLSearchParams(Buffer.concat(chunks).toString()).get('account') ?? ''
    await provider.interactionFinished(request, response, { login: { accountId } })
  }
  const tools = { rs256: (token: Token, by = own.privateKey) => toJwt(token, by), otherKey: other.privateKey }
  const issuer: Issuer = {
    ...{ url, port, clientId, clientSecret, accounts, answers, asked },
    bend: null,
    visit: (to, account) => walk(to, account, url),
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
  handle = (request, response): unknown => {
    const path = (request.url ?? '').split('?', 1)[0] ?? ''
    asked.set(path, (asked.get(path) ?? 0) + 1)
    const answer = answers.get(path)
    if (answer === 'hang') return undefined
    if (answer) return response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
    if (path.startsWith('/interaction/'))
      return page(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
    if (path === '/token' && issuer.bend) bendToken(response, (text) => issuer.bend?.(readJwt(text), tools) ?? text)
    return whole(request, response)
  }
  return issuer
}

function bendToken(response: ServerResponse, bend: (text: string) => string): void {
  const end = response.end.bind(response)
  response.end = ((body?: string | Buffer) => {
    const json = JSON.parse(String(body ?? '{}'))
    if (json.id_token) json.id_token = bend(json.id_token)
    const text = JSON.stringify(json)
    response.setHeader('content-length', Buffer.byteLength(text))
    return end(text)
  }) as ServerResponse['end']
}

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

function toJwt({ header, claims }: Token, key: KeyObject): string {
  const signed = `${encoded(header)}.${encoded(claims)}`
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`
}

export function unsigned({ header, claims }: Token): string {
  return `${encoded({ ...header, alg: 'none' })}.${encoded(claims)}.`
}

/** As if a secret that both know were as good as a key. */
export function hs256({ header, claims }: Token, secret: string): string {
  const signed = `${encoded({ ...header, alg: 'HS256' })}.${encoded(claims)}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

function readJwt(text: string): Token {
  const [header = '', claims = ''] = text.split('.').map((part) => Buffer.from(part, 'base64url').toString())
  return { header: JSON.parse(header), claims: JSON.parse(claims) }
}

/** A browser without scripts. */
async function walk(from: string, account: string, origin: string): Promise<URL> {
  const jar = new Map<string, string>()
  let at = new URL(from)
  let body: string | null = null
  for (let step = 0; step < 10; step++) {
    if (at.origin !== origin) return at
    const reply: Response = await fetch(at, {
      method: body === null ? 'GET' : 'POST',
      redirect: 'manual',
      headers: {
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        'content-type': 'application/x-www-form-urlencoded',
      },
      ...(body !== null && { body }),
    })
    for (const set of reply.headers.getSetCookie()) {
      const [pair = ''] = set.split(';')
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    const to: string | null = reply.headers.get('location')
    if (to !== null) [at, body] = [new URL(to, at), null]
    else if (body === null && at.pathname.startsWith('/interaction/'))
      body = new URLSearchParams({ account }).toString()
    else throw new Error(`the issuer stopped at ${at.pathname}: ${reply.status} ${(await reply.text()).slice(0, 300)}`)
  }
  throw new Error('the issuer sends the browser in circles')
}
