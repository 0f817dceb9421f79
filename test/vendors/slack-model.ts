import { randomBytes } from 'node:crypto'

/** What the double of Slack knows: workspaces, what is installed there, and what was posted. */

export type App = { clientId: string; clientSecret: string; name: string; redirectUris: string[] }
export type Person = { id: string; name: string }
export type Channel = { id: string; name: string; isPrivate?: boolean; isArchived?: boolean; hasBot?: boolean }
export type Workspace = { id: string; name: string; people: Person[]; channels: Channel[]; botUserId: string }
export type Posted = { workspaceId: string; channel: string; ts: string; body: Record<string, unknown>; by: string }
export type Token = {
  workspaceId: string
  scopes: string[]
  madeAt: number
  expiresAt?: number
  /** The word with which it is refused. */
  refused?: 'token_revoked' | 'account_inactive'
}
type RefreshToken = { workspaceId: string; usedAt?: number; isRevoked?: boolean }
type Hook = { workspaceId: string; channel: string; isRemoved?: boolean }
export type Code = {
  kind: 'oauth' | 'openid'
  workspaceId: string
  userId: string
  redirectUri: string
  scopes: string[]
  nonce: string | undefined
  channel: string | undefined
  madeAt: number
  isUsed: boolean
}

export type Options = {
  app?: Partial<App>
  /** Access tokens live for 12 hours, and refresh tokens are good once. */
  rotation?: boolean
  /** How long a used refresh token may be used again; Slack has such a time and does not tell it. */
  graceMs?: number
  /** One message a second for a channel. */
  limited?: boolean
  /** The time before anybody moves it; by default that of the machine. */
  clock?: () => number
  port?: number
}

export const hour = 3_600_000
const tokenMs = 12 * hour

export type Model = ReturnType<typeof createModel>

export function createModel(options: Options) {
  const app: App = {
    clientId: '4123121235.9872358710',
    clientSecret: 'e1b9e11dfcd19c1982d5de12921e17e8',
    name: 'Tidings',
    redirectUris: [],
    ...options.app,
  }
  const workspaces = new Map<string, Workspace>()
  const tokens = new Map<string, Token>()
  const refreshTokens = new Map<string, RefreshToken>()
  const codes = new Map<string, Code>()
  const hooks = new Map<string, Hook>()
  const posted: Posted[] = []
  const postedAt = new Map<string, number>()
  let aheadMs = 0
  let count = 0
  const now = () => (options.clock ?? Date.now)() + aheadMs
  const isAlive = ({ refused, expiresAt }: Token) => !refused && (expiresAt === undefined || expiresAt > now())

  const issueToken = (workspaceId: string, asked: readonly string[]) => {
    const own = [...tokens].filter(([, token]) => token.workspaceId === workspaceId && isAlive(token))
    // Scopes add up: installing again takes none away.
    const scopes = [...new Set([...own.flatMap(([, token]) => token.scopes), ...asked])]
    const expires = options.rotation ? { expiresAt: now() + tokenMs } : {}
    const token = `${options.rotation ? 'xoxe.xoxb-1-' : 'xoxb-'}${secretOf(24)}`
    tokens.set(token, { workspaceId, scopes, madeAt: now(), ...expires })
    if (!options.rotation) return { access_token: token, scope: scopes.join(',') }
    // Of more than two that live the oldest is revoked.
    for (const [old] of own.slice(0, -1)) revoke(old)
    const refreshToken = `xoxe-1-${secretOf(24)}`
    refreshTokens.set(refreshToken, { workspaceId })
    return {
      access_token: token,
      scope: scopes.join(','),
      expires_in: tokenMs / 1000,
      refresh_token: refreshToken,
    }
  }
  const revoke = (text: string) => {
    const token = tokens.get(text)
    if (token) token.refused = 'token_revoked'
    const refreshToken = refreshTokens.get(text)
    if (refreshToken) refreshToken.isRevoked = true
  }

  return {
    app,
    options,
    workspaces,
    tokens,
    codes,
    hooks,
    posted,
    now,
    advance(ms: number) {
      aheadMs += ms
    },
    issueToken,
    revoke,
    /** The app is removed from the workspace. */
    uninstall(workspaceId: string) {
      for (const token of tokens.values()) if (token.workspaceId === workspaceId) token.refused = 'account_inactive'
      for (const token of refreshTokens.values()) if (token.workspaceId === workspaceId) token.isRevoked = true
      for (const hook of hooks.values()) if (hook.workspaceId === workspaceId) hook.isRemoved = true
    },
    /** Undefined: it is refused. */
    refresh(text: string) {
      const token = refreshTokens.get(text)
      const isSpent = token?.usedAt !== undefined && now() - token.usedAt >= (options.graceMs ?? 0)
      if (!token || token.isRevoked || isSpent) return undefined
      token.usedAt ??= now()
      const scopes = [...tokens.values()]
        .filter((it) => it.workspaceId === token.workspaceId)
        .flatMap((it) => it.scopes)
      return { workspaceId: token.workspaceId, issued: issueToken(token.workspaceId, scopes) }
    },
    makeCode(code: Omit<Code, 'madeAt' | 'isUsed'>): string {
      const text = `${code.workspaceId}.${secretOf(32)}`
      codes.set(text, { ...code, madeAt: now(), isUsed: false })
      return text
    },
    addHook(workspaceId: string, channel: string): string {
      const path = `/services/${workspaceId}/B${secretOf(4).toUpperCase()}/${secretOf(12)}`
      hooks.set(path, { workspaceId, channel })
      return path
    },
    /** How long to wait, or 0. Counts the message where there is none. */
    waitMs(channel: string): number {
      const last = postedAt.get(channel) ?? Number.NEGATIVE_INFINITY
      if (options.limited && now() - last < 1_000) return 1_000 - (now() - last)
      postedAt.set(channel, now())
      return 0
    },
    keep(message: Omit<Posted, 'ts'>): string {
      const ts = `${Math.floor(now() / 1000)}.${String(++count).padStart(6, '0')}`
      posted.push({ ...message, ts })
      return ts
    },
    addWorkspace({ id, name, people }: { id: string; name: string; people: Person[] }): Workspace {
      const channels = [{ id: `C${id.slice(1)}GENERAL`, name: 'general' }]
      const workspace = { id, name, people, channels, botUserId: `U${id.slice(1)}BOT` }
      workspaces.set(id, workspace)
      return workspace
    },
    addChannel(workspaceId: string, channel: Channel): Channel {
      workspaces.get(workspaceId)?.channels.push(channel)
      return channel
    },
    addPerson(workspaceId: string, person: Person): Person {
      workspaces.get(workspaceId)?.people.push(person)
      return person
    },
  }
}

export function secretOf(bytes: number): string {
  return randomBytes(bytes).toString('hex')
}
