import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type EgressPolicy, isAddressOrCidr, isCidr } from './egress/address-guard.ts'
import type { EncryptionKey } from './lib/seal.ts'

export type Config = {
  production: boolean
  host: string
  port: number
  dataDir: string
  /** undefined: a private PostgreSQL is started under dataDir. */
  databaseUrl: string | undefined
  /** A direct connection to PostgreSQL, required when databaseUrl leads to a transaction pooler. */
  databaseDirectUrl: string | undefined
  databasePoolSize: number
  rowLevelSecurity: boolean
  bootstrapApiKey: string | undefined
  encryptionKeys: readonly EncryptionKey[]
  /** Part of every key we issue, so that requests can be routed to their cell without a look-up. */
  cell: string
  /** CELL was set, so there may be others: links that we hand out name the cell. */
  isCellNamed: boolean
  /** The token that gateways use to look up an environment's cell. Without it the look-up is refused. */
  cellToken: string | undefined
  /** The database of every cell by its name, for moving environments between cells. */
  cellDatabases: ReadonlyMap<string, string>
  /** Where gateways look up environments that were moved; undefined: the database of this cell. */
  controlDatabaseUrl: string | undefined
  egress: EgressPolicy
  /** Our address for the outside, without a slash at the end: for links in what we send. */
  publicUrl: string | undefined
  vendorNames: 'novu' | undefined
  /** Whether a session of the inbox needs a hash made by the customer's own server. */
  inboxHash: 'required' | 'optional'
  /** Whether people may subscribe themselves to topics. */
  inboxTopics: 'open' | 'closed'
  /** Served at `/` by nodes that serve the API. */
  dashboard: boolean
  /** How long history is kept, in days. */
  retentionDays: number
  /** How long events for webhook endpoints are kept, in days. */
  webhookRetentionDays: number
  /** How long the record of changes is kept, in days. */
  recordRetentionDays: number
  /** Proxies whose X-Forwarded-For is believed: addresses and CIDRs. */
  trustedProxies: readonly string[]
  /** Required to read /metrics; undefined: only loopback and private addresses may. */
  metricsToken: string | undefined
  /** Where spans are sent; undefined: none are made. */
  tracing: { url: string; headers: Record<string, string>; serviceName: string } | undefined
  /** Events of one environment that may wait to be expanded. */
  backlogLimit: number
  /** Events to so many people are written to their end when they are accepted; 0: all go through the queue. */
  atOncePeople: number
  /** Requests per second, key and node; 0: no limit. */
  rateLimit: number
  /** How long a node that is to stop still takes requests, not ready any more: until load balancers have noticed. */
  stopDelaySeconds: number
  logLevel: string
}

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

export class ConfigError extends Error {
  constructor(faults: readonly string[]) {
    super(`The settings have ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n- ${faults.join('\n- ')}`)
  }
}

const chooseModeMessage = (
  setting: string,
  given: string | undefined,
) => `${setting} is set, and NODE_ENV is ${given ? `"${given}"` : 'not'}. Set one of these two lines:
    NODE_ENV=production    for a service that people use: messages are really sent, ENCRYPTION_KEYS is required, inboxes
                           need a hash, and the log is JSON
    NODE_ENV=development   to try things out: e-mail and SMS stay in a mailbox on this machine, inboxes open without a hash,
                           and this machine itself may be called`

/**
 * Whether this is production. A production service that ran as a development service by mistake would send no mail and open
 * every inbox. So the mode is never guessed once `setting` is set, which only a real service needs.
 */
export function isProduction(source: Record<string, string | undefined>, setting?: string): boolean {
  const mode = source.NODE_ENV?.trim()
  if (mode === 'production') return true
  if (mode !== 'development' && setting !== undefined && source[setting]?.trim())
    throw new ConfigError([chooseModeMessage(setting, mode)])
  return false
}

/** For commands that have settings of their own. */
export function readSettings(): Record<string, string | undefined> {
  return process.env
}

/** The only place that reads the environment. Every fault is found before the first one is reported. */
export function readConfig(source: Record<string, string | undefined> = readSettings()): Config {
  const faults: string[] = []
  const read = settingsReader(source, faults)

  const production = isProduction(source, 'DATABASE_URL')
  const dataDir = resolve(read.text('DATA_DIR', '.data'))
  const config: Config = {
    production,
    host: read.text('HOST', '0.0.0.0'),
    port: read.integer('PORT', 3000, 0, 65_535),
    dataDir,
    databaseUrl: read.databaseUrl('DATABASE_URL'),
    databaseDirectUrl: read.databaseUrl('DATABASE_DIRECT_URL'),
    databasePoolSize: read.integer('DATABASE_POOL_SIZE', 20, 2, 500),
    rowLevelSecurity: read.choice('ROW_LEVEL_SECURITY', ['true', 'false'] as const) === 'true',
    bootstrapApiKey: read.matching('BOOTSTRAP_API_KEY', /^[\x21-\x7e]{8,200}$/, 'be 8 to 200 visible characters'),
    encryptionKeys: readEncryptionKeys(read.text('ENCRYPTION_KEYS', ''), { production, dataDir }, faults),
    cell: read.matching('CELL', /^[a-z0-9]{1,16}$/, 'be 1 to 16 of a-z and 0-9') ?? 'c1',
    isCellNamed: read.text('CELL', '') !== '',
    cellToken: read.matching('CELL_TOKEN', /^[\x21-\x7e]{8,200}$/, 'be 8 to 200 visible characters'),
    cellDatabases: readCellDatabases(read.text('CELL_DATABASES', ''), faults),
    controlDatabaseUrl: read.databaseUrl('CONTROL_DATABASE_URL'),
    egress: readEgress(read, { production, isGiven: (name) => source[name] !== undefined }),
    publicUrl: read
      .matching('PUBLIC_URL', /^https?:\/\/[^\s?#]+$/, 'be a URL such as https://notify.example.com')
      ?.replace(/(?<!\/)\/+$/, ''),
    vendorNames: read.choice('VENDOR_NAMES', ['novu'] as const),
    inboxTopics: read.choice('INBOX_TOPICS', ['open', 'closed'] as const) ?? 'open',
    inboxHash: read.choice('INBOX_HASH', ['required', 'optional'] as const) ?? (production ? 'required' : 'optional'),
    dashboard: read.choice('DASHBOARD', ['true', 'false'] as const) !== 'false',
    retentionDays: read.integer('RETENTION_DAYS', 90, 1, 3650),
    webhookRetentionDays: read.integer('WEBHOOK_RETENTION_DAYS', 14, 1, 365),
    recordRetentionDays: read.integer('RECORD_RETENTION_DAYS', 730, 1, 3650),
    trustedProxies: read.list('TRUST_PROXY', isAddressOrCidr, 'an address or a CIDR such as 10.0.0.0/8'),
    metricsToken: read.matching('METRICS_TOKEN', /^[\x21-\x7e]{8,200}$/, 'be 8 to 200 visible characters'),
    tracing: readTracing(read),
    backlogLimit: read.integer('BACKLOG_LIMIT', 100_000, 1, 10_000_000),
    atOncePeople: read.integer('AT_ONCE_PEOPLE', 10, 0, 100),
    rateLimit: read.integer('RATE_LIMIT', 0, 0, 1_000_000),
    stopDelaySeconds: read.integer('STOP_DELAY_SECONDS', production ? 5 : 0, 0, 300),
    logLevel: read.choice('LOG_LEVEL', logLevels) ?? 'info',
  }
  if (production && !config.databaseUrl) faults.push('DATABASE_URL is required with NODE_ENV=production')
  if (config.databaseDirectUrl && !config.databaseUrl)
    faults.push('DATABASE_DIRECT_URL goes with a DATABASE_URL that leads to a pooler')
  if (faults.length > 0) throw new ConfigError(faults)
  return config
}

const notUrl =
  'cannot be read as a URL. In the user name and the password write # as %23, / as %2F, ? as %3F and @ as %40; a port is at most 65535'

/** Reads the text as pg does, but refuses a "#" in a password: pg would take what is before it for the host. */
function isDatabaseUrl(text: string): boolean {
  if (text.includes('#') && text.lastIndexOf('@') > text.indexOf('#')) return false
  // A URL has one host. Here it may have several, or none for a socket.
  const withOneHost = text.replaceAll(' ', '%20').replace(/^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?[^,/?#]*)[^/?#]*/, '$1')
  return URL.canParse(withOneHost) || URL.canParse(withOneHost.replace('@/', '@host/'))
}

export function settingsReader(source: Record<string, string | undefined>, faults: string[]) {
  const value = (name: string) => source[name]?.trim() || undefined
  return {
    text: (name: string, fallback: string) => value(name) ?? fallback,

    matching(name: string, pattern: RegExp, rule: string): string | undefined {
      const text = value(name)
      if (text !== undefined && !pattern.test(text)) faults.push(`${name} must ${rule}`)
      return text
    },

    databaseUrl(name: string): string | undefined {
      const text = value(name)
      // The text holds a password: a fault shows only the setting's name.
      if (text !== undefined && !/^postgres(ql)?:\/\//.test(text)) faults.push(`${name} must start with postgres://`)
      else if (text !== undefined && !isDatabaseUrl(text)) faults.push(`${name} ${notUrl}`)
      return text
    },

    integer(name: string, fallback: number, min: number, max: number): number {
      const text = value(name) ?? String(fallback)
      const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
      if (!(number >= min && number <= max)) faults.push(`${name} must be a whole number from ${min} to ${max}`)
      return number
    },

    choice<const T extends string>(name: string, allowed: readonly T[]): T | undefined {
      const text = value(name)
      const found = allowed.find((item) => item === text)
      if (text !== undefined && found === undefined) faults.push(`${name} must be one of: ${allowed.join(', ')}`)
      return found
    },

    list(name: string, isValid: (item: string) => boolean, rule: string): string[] {
      const items = (value(name) ?? '').split(',').flatMap((item) => item.trim() || [])
      for (const item of items) if (!isValid(item)) faults.push(`${name}: "${item}" is not ${rule}`)
      return items
    },
  }
}

/** In development the machine itself may be called on every port, because mail servers and webhook receivers run on it. */
function readEgress(
  read: ReturnType<typeof settingsReader>,
  { production, isGiven }: { production: boolean; isGiven(name: string): boolean },
): EgressPolicy {
  const allowedRanges = read.list('EGRESS_ALLOWED_RANGES', isCidr, 'a CIDR such as 10.0.0.0/8')
  const allowedPorts = read.list('EGRESS_ALLOWED_PORTS', isPort, 'a port from 1 to 65535').map(Number)
  const asGiven = production || isGiven('EGRESS_ALLOWED_RANGES') || isGiven('EGRESS_ALLOWED_PORTS')
  return asGiven ? { allowedRanges, allowedPorts } : { allowedRanges: ['127.0.0.0/8', '::1/128'], allowedPorts: 'any' }
}

/** The settings have OpenTelemetry's names. */
function readTracing(read: ReturnType<typeof settingsReader>): Config['tracing'] {
  const rule = 'be a URL such as http://collector:4318'
  const endpoint = read.matching('OTEL_EXPORTER_OTLP_ENDPOINT', /^https?:\/\/[^\s?#@]+$/, rule)
  // The text is a secret: a fault shows only the setting's name.
  const pairs = /^[\w-]+=[\x21-\x2b\x2d-\x7e]+(,[\w-]+=[\x21-\x2b\x2d-\x7e]+)*$/
  const given = read.matching('OTEL_EXPORTER_OTLP_HEADERS', pairs, 'be pairs such as authorization=Bearer%20x,a=b')
  const serviceName = read.text('OTEL_SERVICE_NAME', 'tidings')
  if (endpoint === undefined || !URL.canParse(endpoint)) return undefined
  const headers = (given?.split(',') ?? []).map((pair) => {
    const [name = '', ...value] = pair.split('=')
    return [name.toLowerCase(), decoded(value.join('='))]
  })
  return { url: `${endpoint.replace(/(?<!\/)\/+$/, '')}/v1/traces`, headers: Object.fromEntries(headers), serviceName }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535
}

/** `ca=postgres://…,cb=postgres://…`. A URL may hold commas, between several hosts. */
function readCellDatabases(text: string, faults: string[]): Map<string, string> {
  const entries = text.split(/,(?=[^,=/]*=postgres)/).filter((entry) => entry.trim() !== '')
  const cells = entries.flatMap((entry): [string, string][] => {
    const [, name, url] = /^\s*([a-z0-9]{1,16})=(postgres(?:ql)?:\/\/\S+)\s*$/.exec(entry) ?? []
    if (name && url && isDatabaseUrl(url)) return [[name, url]]
    // The entry holds a password: its text is not shown.
    faults.push(
      'CELL_DATABASES: each entry must be cell=postgres://…, with special characters of the password as in a URL (/ is %2F)',
    )
    return []
  })
  if (new Set(cells.map(([name]) => name)).size !== cells.length) faults.push('CELL_DATABASES: a cell appears twice')
  return new Map(cells)
}

/** `id:base64,id:base64`, newest first. In development a key is made at the first start and kept. */
function readEncryptionKeys(
  given: string,
  place: { production: boolean; dataDir: string },
  faults: string[],
): EncryptionKey[] {
  if (!given && place.production) {
    faults.push(
      'ENCRYPTION_KEYS is required with NODE_ENV=production; make one with: echo "k1:$(openssl rand -base64 32)"',
    )
    return []
  }
  const text = given || developmentKeys(place.dataDir)
  const keys = text.split(',').flatMap((entry) => {
    const [, id, base64] = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/=_-]+)$/.exec(entry.trim()) ?? []
    const bytes = Buffer.from(base64 ?? '', 'base64')
    if (id && bytes.length === 32) return { id, bytes }
    // The entry is a secret: its text is not shown.
    faults.push('ENCRYPTION_KEYS: each entry must be id:base64 of exactly 32 bytes (openssl rand -base64 32)')
    return []
  })
  if (new Set(keys.map((key) => key.id)).size !== keys.length) faults.push('ENCRYPTION_KEYS: an id appears twice')
  return keys
}

function developmentKeys(dataDir: string): string {
  const file = join(dataDir, 'encryption-keys')
  if (!existsSync(file)) makeDevelopmentKey(file)
  return readFileSync(file, 'utf8').trim()
}

/** Written to a draft and linked into place: when processes start together, all read the one complete key that won. */
function makeDevelopmentKey(file: string): void {
  const draft = `${file}.${randomBytes(8).toString('hex')}`
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(draft, `dev:${randomBytes(32).toString('base64')}\n`, { mode: 0o600 })
  try {
    linkSync(draft, file)
  } catch (error) {
    if (!existsSync(file)) throw error
  } finally {
    rmSync(draft)
  }
}
