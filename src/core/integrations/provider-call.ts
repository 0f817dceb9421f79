import type { Ctx } from '../../context.ts'
import type { Http, HttpRequest, Smtp } from '../../lib/outbound.ts'
import type { Provider } from '../../providers/provider.ts'
import type { Env } from '../../store/database.ts'
import { insertDevMail } from '../../store/history/dev-mails.ts'
import type { IntegrationRow } from '../../store/integrations.ts'
import { type Credentials, type CredentialValue, openFields } from './integration-credentials.ts'

type Owner = Pick<IntegrationRow, 'id' | 'credentials'>

/**
 * What a provider gets besides its credentials. Connections end at the deadline, by this process's own clock.
 * `mayBegin`: asked before each call.
 */
export function callTools(ctx: Ctx, env: Env, integration: Owner, deadline: number, mayBegin = () => true) {
  const http: Http = (request: HttpRequest) => ctx.http({ ...request, deadline, mayBegin })
  const smtp: Smtp = {
    send: (server, mail) => ctx.smtp.send({ ...server, deadline, mayBegin }, mail),
    verify: (server) => ctx.smtp.verify({ ...server, deadline }),
    compose: ctx.smtp.compose,
  }
  const mailbox = (mail: Parameters<typeof insertDevMail>[2]) =>
    ctx.database.write(env, (db) => insertDevMail(db, env, mail, ctx.clock()))
  return { http, smtp, cached: ctx.tokens.of(tokenOwner(integration)), mailbox, now: ctx.clock() }
}

/** For `callTools`: by this process's own clock, since no row is compared with it. */
export function deadlineIn(ms: number): number {
  return Date.now() + ms
}

/** The vendor no longer accepts our access token: the next call fetches a new one. */
export function forgetAccessToken(ctx: Ctx, integration: Owner): void {
  ctx.tokens.forget(tokenOwner(integration))
}

/** Changed credentials make another owner, so that a token fetched with the old ones is not used again. */
function tokenOwner({ id, credentials }: Owner): string {
  return `${id} ${JSON.stringify(credentials)}`
}

export function openCredentials(ctx: Ctx, row: IntegrationRow, provider: Provider): Credentials {
  const place = { environmentId: row.environment_id, id: row.id, column: 'credentials' as const }
  return withDeclaredDefaults(provider, openFields(ctx, place, row.credentials))
}

/** As the provider declares them: missing flags are false, missing objects empty. */
export function withDeclaredDefaults(provider: Provider, credentials: Credentials): Credentials {
  const absent = Object.entries(provider.credentials).flatMap(([name, { kind }]): [string, CredentialValue][] => {
    if (kind === 'flag') return [[name, false]]
    return kind === 'object' ? [[name, {}]] : []
  })
  return { ...Object.fromEntries(absent), ...credentials }
}

/** The texts that must not appear in logs or replies. */
export function secretsOf(credentials: Credentials): string[] {
  return Object.entries(credentials).flatMap(([name, value]) =>
    // The sender is public, and a host name alone gives no access.
    typeof value === 'string' && !['from', 'senderName', 'host', 'port', 'region'].includes(name) ? value : [],
  )
}
