import type { Config } from '../config.ts'
import { EnvironmentHeld } from '../errors.ts'
import { EncryptionKeyUnavailable } from '../lib/seal.ts'
import { hostsOf } from '../store/connect/hosts.ts'
import { isDatabaseUnavailable } from '../store/database.ts'

/** What a command that cannot go on says: what is wrong and what to do, without a stack. */
export function whyFailed(error: unknown, config: Config | undefined): string {
  if (error instanceof EnvironmentHeld) return `${error.message}: nothing is changed here now.`
  if (error instanceof EncryptionKeyUnavailable) return error.message
  const code = codeOf(error)
  const about = config?.databaseUrl ? placeOf(config.databaseUrl, config.databaseDirectUrl) : undefined
  if (about) {
    if (/^unsupported startup parameter/.test(messageOf(error))) return poolerSentence(about, config)
    if (code === '42501' && config?.rowLevelSecurity) return rightsSentence(about)
    const sentence = databaseRefusals[code]?.(about)
    if (sentence) return sentence
    if (isDatabaseUnavailable(error)) {
      return `The database at ${about.host} cannot be reached (${code || messageOf(error)}). Start it, or correct DATABASE_URL.`
    }
  }
  return messageOf(error)
}

type Place = { host: string; database: string; user: string }

const databaseRefusals: Record<string, (place: Place) => string> = {
  '28000': ({ host, user }) =>
    `The database at ${host} does not let the user "${user}" in. Correct DATABASE_URL, or the server's pg_hba.conf.`,
  '28P01': ({ host, user }) =>
    `The database at ${host} refuses the password of the user "${user}". Correct DATABASE_URL.`,
  '3D000': ({ host, database }) =>
    `The server at ${host} has no database "${database}". Make it (createdb ${database}), or correct DATABASE_URL.`,
  '42501': ({ database, user }) =>
    `The user "${user}" may not do this in the database "${database}". Make it the owner: ALTER DATABASE ${database} OWNER TO ${user}`,
}

/** A role under row-level security must not own the tables, or its policies would not hold it. */
function rightsSentence({ database, user }: Place): string {
  return `The user "${user}" lacks a right in the database "${database}", which it needs under ROW_LEVEL_SECURITY. As the owner, run \`npm start -- migrate\` and grant this user its rights on all tables again.`
}

/** What PgBouncer says to parameters that it would have to keep for each client. */
function poolerSentence({ host }: Place, config: Config | undefined): string {
  if (config?.databaseDirectUrl)
    return 'DATABASE_DIRECT_URL leads to a pooler. It must lead past it, to PostgreSQL itself.'
  return `At ${host} is a pooler, not PostgreSQL. Set DATABASE_DIRECT_URL to the same database past the pooler, for what needs a connection of its own; then DATABASE_URL may lead to the pooler.`
}

/** With a pooler the fault may be of either way: both are named. */
function placeOf(databaseUrl: string, directUrl: string | undefined): Place | undefined {
  const hosts = hostsOf(databaseUrl)
  const url = URL.parse(databaseUrl.replace(hosts.join(','), hosts[0] ?? ''))
  const direct = directUrl ? hostsOf(directUrl) : []
  const host = [...hosts, ...direct].length > 1 ? [...hosts, ...direct].join(' or ') : url?.host
  return url && host !== undefined
    ? { host, user: url.username, database: url.pathname.slice(1) || url.username }
    : undefined
}

function codeOf(error: unknown): string {
  // One error for each address of the host; they differ in nothing else.
  const first = error instanceof AggregateError ? error.errors[0] : error
  return first instanceof Error && 'code' in first ? String(first.code) : ''
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
