import { resolve } from 'node:path'
import { ConfigError, isProduction, logLevels, readSettings, settingsReader } from '../config.ts'
import { isAddressOrCidr } from '../egress/address-guard.ts'

export type GatewayConfig = {
  host: string
  port: number
  dataDir: string
  /** By name, in the order given: nobody's requests go to the first that works. */
  cells: ReadonlyMap<string, URL>
  /** Shared with the cells; without it they are not asked whose something is. */
  cellToken: string | undefined
  controlDatabaseUrl: string | undefined
  trustedProxies: readonly string[]
  metricsToken: string | undefined
  stopDelaySeconds: number
  logLevel: string
  limits: { inHand: number; answerMs: number; holdMs: number; bufferBytes: number }
}

const shape = /^([a-z0-9]{1,16})=(https?:\/\/[^\s/?#@]+)\/?$/
// Longer than any freeze of a move takes, shorter than callers wait.
const holdMs = 5_000

/** Not the settings of a cell: a gateway has no database and no secrets of tenants. */
export function readGatewayConfig(source = readSettings()): GatewayConfig {
  const production = isProduction(source, 'CELLS')
  const faults: string[] = []
  const read = settingsReader(source, faults)
  const given = read.list('CELLS', (item) => shape.test(item), 'a cell such as ca=http://10.0.0.1:3000')
  const named = given.flatMap((item) => {
    const [, name = '', url = ''] = shape.exec(item) ?? []
    return URL.canParse(url) ? [[name, new URL(url)] as const] : []
  })
  const cells = new Map(named)
  if (given.length === 0) faults.push('CELLS is required: which cells there are, as ca=http://10.0.0.1:3000,cb=…')
  if (cells.size < named.length) faults.push('CELLS: a name appears twice')
  const config: GatewayConfig = {
    host: read.text('HOST', '0.0.0.0'),
    port: read.integer('PORT', 3000, 0, 65_535),
    dataDir: resolve(read.text('DATA_DIR', '.data')),
    cells,
    cellToken: read.matching('CELL_TOKEN', /^[\x21-\x7e]{8,200}$/, 'be 8 to 200 visible characters'),
    controlDatabaseUrl: read.databaseUrl('CONTROL_DATABASE_URL'),
    trustedProxies: read.list('TRUST_PROXY', isAddressOrCidr, 'an address or a CIDR such as 10.0.0.0/8'),
    metricsToken: read.matching('METRICS_TOKEN', /^[\x21-\x7e]{8,200}$/, 'be 8 to 200 visible characters'),
    stopDelaySeconds: read.integer('STOP_DELAY_SECONDS', production ? 5 : 0, 0, 300),
    logLevel: read.choice('LOG_LEVEL', logLevels) ?? 'info',
    limits: {
      inHand: read.integer('GATEWAY_REQUESTS', 512, 1, 100_000),
      answerMs: read.integer('GATEWAY_ANSWER_SECONDS', 60, 1, 600) * 1000,
      bufferBytes: read.integer('GATEWAY_BUFFER_MB', 64, 1, 10_000) * 1024 * 1024,
      holdMs,
    },
  }
  if (faults.length > 0) throw new ConfigError(faults)
  return config
}
