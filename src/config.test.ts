import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, describe, expect, test } from 'vitest'
import { type Config, ConfigError, readConfig } from './config.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'tidings-config-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const secret = Buffer.alloc(32, 5).toString('base64')
const given = { NODE_ENV: 'development', DATA_DIR: dataDir, ENCRYPTION_KEYS: `k1:${secret}` }
const read = (settings: Record<string, string | undefined>) => readConfig({ ...given, ...settings })

function faultsOf(settings: Record<string, string | undefined>): string[] {
  try {
    read(settings)
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.message.split('\n- ').slice(1)
  }
}

test.each([
  ['in production', { NODE_ENV: 'production', DATABASE_URL: 'postgres://db/t' }],
  ['with an empty list', { EGRESS_ALLOWED_RANGES: '' }],
  ['with ports only', { EGRESS_ALLOWED_PORTS: '' }],
])('%s no address of the machine itself may be called', (_, settings) => {
  expect(read(settings)).toMatchObject({ egress: { allowedRanges: [], allowedPorts: [] } })
})

test('without any setting: a development service on port 3000', () => {
  expect(read({ NODE_ENV: undefined })).toEqual({
    production: false,
    host: '0.0.0.0',
    port: 3000,
    dataDir,
    databaseUrl: undefined,
    databaseDirectUrl: undefined,
    databasePoolSize: 20,
    rowLevelSecurity: false,
    bootstrapApiKey: undefined,
    encryptionKeys: [{ id: 'k1', bytes: Buffer.alloc(32, 5) }],
    cell: 'c1',
    isCellNamed: false,
    cellToken: undefined,
    cellDatabases: new Map(),
    controlDatabaseUrl: undefined,
    egress: { allowedRanges: ['127.0.0.0/8', '::1/128'], allowedPorts: 'any' },
    publicUrl: undefined,
    vendorNames: undefined,
    inboxHash: 'optional',
    inboxTopics: 'open',
    dashboard: true,
    retentionDays: 90,
    webhookRetentionDays: 14,
    recordRetentionDays: 730,
    trustedProxies: [],
    metricsToken: undefined,
    tracing: undefined,
    backlogLimit: 100_000,
    atOncePeople: 10,
    rateLimit: 0,
    stopDelaySeconds: 0,
    logLevel: 'info',
  } satisfies Config)
})

test('every setting is read', () => {
  const config = read({
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: '8080',
    DATABASE_URL: 'postgresql://u:p@pooler/tidings',
    DATABASE_DIRECT_URL: 'postgresql://u:p@db/tidings',
    DATABASE_POOL_SIZE: '7',
    RETENTION_DAYS: '30',
    WEBHOOK_RETENTION_DAYS: '7',
    RECORD_RETENTION_DAYS: '365',
    BACKLOG_LIMIT: '5000',
    AT_ONCE_PEOPLE: '0',
    RATE_LIMIT: '200',
    ROW_LEVEL_SECURITY: 'true',
    BOOTSTRAP_API_KEY: 'my-own-key',
    ENCRYPTION_KEYS: ` k2:${secret} , k1:${Buffer.alloc(32, 6).toString('base64url')} `,
    CELL: 'eu7',
    CELL_TOKEN: 'cell-token',
    CELL_DATABASES: 'ca=postgres://h1,h2/a, cb=postgresql://u:p@h3/b?sslmode=require',
    CONTROL_DATABASE_URL: 'postgres://h1/a',
    EGRESS_ALLOWED_RANGES: '10.0.0.0/8, fd00::/8,',
    EGRESS_ALLOWED_PORTS: '2526,9000',
    PUBLIC_URL: 'https://notify.example.com/',
    VENDOR_NAMES: 'novu',
    DASHBOARD: 'false',
    TRUST_PROXY: '10.0.0.0/8, ::1',
    METRICS_TOKEN: 'scrape-me',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
    OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20x=,x-tenant=a',
    OTEL_SERVICE_NAME: 'notify',
    LOG_LEVEL: 'debug',
  })
  expect(config).toEqual({
    production: true,
    host: '127.0.0.1',
    port: 8080,
    dataDir,
    databaseUrl: 'postgresql://u:p@pooler/tidings',
    databaseDirectUrl: 'postgresql://u:p@db/tidings',
    databasePoolSize: 7,
    rowLevelSecurity: true,
    bootstrapApiKey: 'my-own-key',
    encryptionKeys: [
      { id: 'k2', bytes: Buffer.alloc(32, 5) },
      { id: 'k1', bytes: Buffer.alloc(32, 6) },
    ],
    cell: 'eu7',
    isCellNamed: true,
    cellToken: 'cell-token',
    cellDatabases: new Map([
      ['ca', 'postgres://h1,h2/a'],
      ['cb', 'postgresql://u:p@h3/b?sslmode=require'],
    ]),
    controlDatabaseUrl: 'postgres://h1/a',
    egress: { allowedRanges: ['10.0.0.0/8', 'fd00::/8'], allowedPorts: [2526, 9000] },
    publicUrl: 'https://notify.example.com',
    vendorNames: 'novu',
    inboxHash: 'required',
    inboxTopics: 'open',
    dashboard: false,
    retentionDays: 30,
    webhookRetentionDays: 7,
    recordRetentionDays: 365,
    trustedProxies: ['10.0.0.0/8', '::1'],
    metricsToken: 'scrape-me',
    tracing: {
      url: 'http://collector:4318/v1/traces',
      headers: { authorization: 'Bearer x=', 'x-tenant': 'a' },
      serviceName: 'notify',
    },
    backlogLimit: 5_000,
    atOncePeople: 0,
    rateLimit: 200,
    stopDelaySeconds: 5,
    logLevel: 'debug',
  } satisfies Config)
})

describe('each setting', () => {
  const short = Buffer.alloc(31).toString('base64')
  test.each<[string, string[], string[]]>([
    ['PORT', ['0', '1', '65535', ' 80 '], ['-1', '65536', '80a', '1.5', '1e3', '0x50', '9999999999']],
    [
      'DATABASE_URL',
      ['postgres://x', 'postgresql://x', 'postgres://u:p%23@a:1,b:2/t?sslmode=require', 'postgres://u:a%zz @/t'],
      [
        'mysql://x',
        'x',
        'http://postgres://',
        'postgres://u:a#b@db/t',
        'postgres://u:1#b@db/t',
        'postgres://u:a/b@db/t',
      ].concat('postgres://u:a?b@db/t', 'postgres://u:p@db:99999/t'),
    ],
    ['DATABASE_POOL_SIZE', ['2', '500'], ['1', '501', '0', 'many']],
    ['WEBHOOK_RETENTION_DAYS', ['1', '365'], ['0', '366', 'ever']],
    ['RETENTION_DAYS', ['1', '3650'], ['0', '3651', '-1', '1.5', 'ever']],
    ['BACKLOG_LIMIT', ['1', '10000000'], ['0', '10000001', '-1', 'none']],
    ['AT_ONCE_PEOPLE', ['0', '100'], ['-1', '101', 'all']],
    ['RATE_LIMIT', ['0', '1000000'], ['-1', '1000001', 'off']],
    ['STOP_DELAY_SECONDS', ['0', '300'], ['-1', '301', '5s']],
    ['ROW_LEVEL_SECURITY', ['true', 'false'], ['1', 'yes', 'TRUE']],
    ['INBOX_HASH', ['required', 'optional'], ['true', 'never']],
    ['INBOX_TOPICS', ['open', 'closed'], ['true', 'never']],
    [
      'BOOTSTRAP_API_KEY',
      ['12345678', 'x'.repeat(200), '!"#$%&()'],
      ['1234567', 'x'.repeat(201), 'two words', 'schlüssel'],
    ],
    ['METRICS_TOKEN', ['12345678'], ['1234567', 'two words']],
    [
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      ['http://collector:4318', 'https://a.b/c'],
      ['collector:4318', 'grpc://a', 'http://u@a'],
    ],
    ['OTEL_EXPORTER_OTLP_HEADERS', ['a=b', 'a=b,c=d'], ['a', 'a=b,', 'a=b c', '=b']],
    [
      'CELL_DATABASES',
      ['a=postgres://h/d', 'a=postgres://u:p@h,i/d'],
      [
        'postgres://h/d',
        'a=mysql://h/d',
        'A=postgres://h/d',
        'a=postgres://u:b/c@h/d',
        'a=postgres://h/d,a=postgres://h/e',
      ],
    ],
    ['CELL', ['c1', 'a'.repeat(16), '9'], ['C1', 'a'.repeat(17), 'a_b', 'a-b']],
    ['EGRESS_ALLOWED_RANGES', ['10.0.0.0/8', '::1/128', ','], ['10.0.0.0', '10.0.0.0/33', 'x', '::ffff:10.0.0.0/104']],
    ['TRUST_PROXY', ['10.0.0.1', '10.0.0.0/8,::1', 'fd00::/8'], ['all', 'true', '1', '10.0.0.0/33', 'proxy.local']],
    ['EGRESS_ALLOWED_PORTS', ['1', '65535', '25,26'], ['0', '65536', 'x', '-1', '25;26']],
    ['VENDOR_NAMES', ['novu'], ['Novu', 'other', 'true']],
    ['LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], ['loud', 'INFO', '30']],
    [
      'ENCRYPTION_KEYS',
      [`a:${secret}`, `${'a'.repeat(32)}:${secret}`, `a:${secret},b:${secret}`],
      [
        'x',
        `:${secret}`,
        secret,
        `a:${short}`,
        `a b:${secret}`,
        `${'a'.repeat(33)}:${secret}`,
        `a:${secret},`,
        `a:${secret},a:${secret}`,
      ],
    ],
  ])('%s', (name, good, bad) => {
    for (const value of good) expect(faultsOf({ [name]: value }), value).toEqual([])
    for (const value of bad) {
      const faults = faultsOf({ [name]: value })
      expect(faults, value).toHaveLength(1)
      expect(faults[0]).toMatch(new RegExp(`^${name}[: ]`))
    }
    // A variable set to an empty text, as compose files do, counts as not set.
    for (const blank of ['', '  ']) expect(faultsOf({ [name]: blank }), 'blank').toEqual([])
  })
})

test('every fault is told at once', () => {
  const faults = faultsOf({
    NODE_ENV: 'production',
    PORT: 'x',
    DATABASE_URL: 'mysql://x',
    DATABASE_POOL_SIZE: '0',
    RETENTION_DAYS: '0',
    ROW_LEVEL_SECURITY: 'x',
    BOOTSTRAP_API_KEY: 'short',
    ENCRYPTION_KEYS: 'x,y:z',
    CELL: '?',
    EGRESS_ALLOWED_RANGES: 'a,b',
    EGRESS_ALLOWED_PORTS: 'c',
    VENDOR_NAMES: 'x',
    LOG_LEVEL: 'x',
  })
  expect(faults.map((fault) => fault.split(/[: ]/)[0]).toSorted()).toEqual([
    'BOOTSTRAP_API_KEY',
    'CELL',
    'DATABASE_POOL_SIZE',
    'DATABASE_URL',
    'EGRESS_ALLOWED_PORTS',
    'EGRESS_ALLOWED_RANGES',
    'EGRESS_ALLOWED_RANGES',
    'ENCRYPTION_KEYS',
    'ENCRYPTION_KEYS',
    'LOG_LEVEL',
    'PORT',
    'RETENTION_DAYS',
    'ROW_LEVEL_SECURITY',
    'VENDOR_NAMES',
  ])
  expect(() => read({ PORT: 'x' })).toThrow('The settings have a fault:\n- PORT')
  expect(() => read({ PORT: 'x', CELL: '?' })).toThrow('The settings have 2 faults:')
})

test('no fault shows a secret', () => {
  const secrets = {
    DATABASE_URL: 'mysql://u:canary@db',
    BOOTSTRAP_API_KEY: 'canary canary',
    ENCRYPTION_KEYS: 'k:canary',
  }
  const faults = faultsOf(secrets)
  expect(faults).toHaveLength(3)
  expect(faults.join()).not.toContain('canary')
})

describe('production or development is never guessed', () => {
  test.each([undefined, '', ' ', 'test', 'staging', 'Production', 'prod'])(
    'with DATABASE_URL and NODE_ENV=%j nothing is read, and the refusal names both lines',
    (mode) => {
      const empty = mkdtempSync(join(dataDir, 'undecided-'))
      const settings = {
        NODE_ENV: mode,
        DATABASE_URL: 'postgres://u:canary@db/t',
        DATA_DIR: empty,
        ENCRYPTION_KEYS: '',
      }
      const [fault = '', ...others] = faultsOf(settings)
      expect(others).toEqual([])
      expect(fault).toMatch(/^DATABASE_URL is set, and NODE_ENV is (not|"\w+")\. Set one of these two lines:/)
      expect(fault).toMatch(/^ +NODE_ENV=production +for a service that people use: messages are really sent/m)
      expect(fault).toMatch(/^ +NODE_ENV=development +to try things out: e-mail and SMS stay in a mailbox/m)
      expect(fault).not.toContain('canary')
      expect(existsSync(join(empty, 'encryption-keys'))).toBe(false)
    },
  )

  test.each([undefined, '', 'test', 'staging', 'development'])(
    'without DATABASE_URL NODE_ENV=%j is development',
    (mode) => {
      expect(read({ NODE_ENV: mode, DATABASE_URL: ' ' }).production).toBe(false)
    },
  )

  test('with DATABASE_URL either line is enough', () => {
    const modeOf = (mode: string) => read({ NODE_ENV: mode, DATABASE_URL: 'postgres://db/t' }).production
    expect([modeOf('production'), modeOf('development'), modeOf(' production ')]).toEqual([true, false, true])
  })
})

describe('NODE_ENV=production', () => {
  test.each(['', '  ', undefined])('requires DATABASE_URL and ENCRYPTION_KEYS (%j), and makes none', (blank) => {
    const empty = mkdtempSync(join(dataDir, 'production-'))
    const faults = faultsOf({ NODE_ENV: 'production', DATA_DIR: empty, ENCRYPTION_KEYS: blank, DATABASE_URL: blank })
    expect(faults).toEqual([
      expect.stringMatching(/^ENCRYPTION_KEYS is required.*openssl/),
      expect.stringMatching(/^DATABASE_URL is required/),
    ])
    expect(existsSync(join(empty, 'encryption-keys'))).toBe(false)
  })
})

describe('development', () => {
  test('makes an encryption key on the first start, readable by its owner only, and keeps it', () => {
    const place = join(dataDir, 'new', 'deep')
    const first = readConfig({ DATA_DIR: place }).encryptionKeys
    expect(first).toMatchObject([{ id: 'dev' }])
    expect(first[0]?.bytes).toHaveLength(32)
    expect(statSync(join(place, 'encryption-keys')).mode & 0o777).toBe(0o600)
    expect(readConfig({ DATA_DIR: place }).encryptionKeys).toEqual(first)
    expect(readConfig({ DATA_DIR: join(dataDir, 'other') }).encryptionKeys).not.toEqual(first)
  })

  test('processes started together agree on one key', async () => {
    // Each worker reads many places at the same moments as the others: an api and a worker on a fresh checkout.
    const places = Array.from({ length: 60 }, (_, n) => join(dataDir, `together-${n}`))
    const barrier = new Int32Array(new SharedArrayBuffer(4 * places.length))
    const code = `
      const { parentPort, workerData: { config, places, barrier, count } } = require('node:worker_threads')
      import(config).then(({ readConfig }) => {
        const keys = places.map((place, n) => {
          Atomics.add(barrier, n, 1)
          while (Atomics.load(barrier, n) < count);
          try { return readConfig({ DATA_DIR: place }).encryptionKeys[0].bytes.toString('hex') } catch (error) { return error.name }
        })
        parentPort.postMessage(keys)
      })`
    const config = new URL('./config.ts', import.meta.url).href
    const workers = [1, 2].map(
      () => new Worker(code, { eval: true, workerData: { config, places, barrier, count: 2 } }),
    )
    const [first, second] = await Promise.all(workers.map((worker) => once(worker, 'message').then(([keys]) => keys)))
    expect(second).toEqual(first)
    expect(new Set(first).size).toBe(places.length)
  })

  test('a kept file that was spoilt is a fault, not a new key', () => {
    const place = mkdtempSync(join(dataDir, 'spoilt-'))
    const file = join(place, 'encryption-keys')
    writeFileSync(file, 'dev:oops\n')
    expect(() => readConfig({ DATA_DIR: place })).toThrow('ENCRYPTION_KEYS')
    expect(readFileSync(file, 'utf8')).toBe('dev:oops\n')
  })

  test('a given key goes before the kept one, and nothing is written', () => {
    const place = mkdtempSync(join(dataDir, 'given-'))
    expect(readConfig({ DATA_DIR: place, ENCRYPTION_KEYS: `k1:${secret}` }).encryptionKeys[0]?.id).toBe('k1')
    expect(existsSync(join(place, 'encryption-keys'))).toBe(false)
  })
})
