import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readGatewayConfig } from './gateway-config.ts'
import { createGatewayMetrics } from './gateway-metrics.ts'

const cells = 'ca=http://10.0.0.1:3000, cb=https://b.internal/'

test('cells in the order given, and no need for anything else', () => {
  const config = readGatewayConfig({ CELLS: cells, NODE_ENV: 'production' })
  expect([...config.cells].map(([name, url]) => [name, url.origin])).toEqual([
    ['ca', 'http://10.0.0.1:3000'],
    ['cb', 'https://b.internal'],
  ])
  expect(config).toMatchObject({ cellToken: undefined, controlDatabaseUrl: undefined, stopDelaySeconds: 5 })
})

test.each([
  ['CELLS', ''],
  ['CELLS', 'ca'],
  ['CELLS', 'CA=http://a'],
  ['CELLS', 'ca=ftp://a'],
  ['CELLS', 'ca=http://a/path'],
  ['CELLS', 'ca=http://user@a'],
  ['CELLS', 'ca=http://a,ca=http://b'],
  ['CELL_TOKEN', 'short'],
  ['CONTROL_DATABASE_URL', 'mysql://a'],
  ['GATEWAY_REQUESTS', '0'],
  ['GATEWAY_BUFFER_MB', 'x'],
])('%s may not be "%s"', (name, value) => {
  expect(() => readGatewayConfig({ NODE_ENV: 'development', CELLS: cells, [name]: value })).toThrow(name)
})

test.each([undefined, 'staging'])('is not started without a choice of NODE_ENV: %s', (mode) => {
  const start = () => readGatewayConfig({ CELLS: cells, NODE_ENV: mode })
  expect(start).toThrow(`CELLS is set, and NODE_ENV is ${mode ? '"staging"' : 'not'}. Set one of these two lines:`)
})

test('docs/metrics.md tells of every metric of the gateway, and of none that does not exist', async () => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/metrics.md'), 'utf8')
  const told = new Set(guide.match(/tidings_gateway_\w+/g))
  const metrics = await createGatewayMetrics().registry.getMetricsAsJSON()
  const own = metrics.map(({ name }) => name).filter((name) => name.startsWith('tidings_'))
  expect([...told].sort()).toEqual(own.sort())
})
