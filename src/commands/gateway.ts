import { pino } from 'pino'
import { readGatewayConfig } from '../gateway/gateway-config.ts'
import { startGateway } from '../gateway/start-gateway.ts'
import type { Say } from './prepare.ts'
import { stopOnSignal } from './stop-on-signal.ts'

/** `npm start -- gateway`: in front of several cells. It has no database of its own and keeps no state but a map. */
export async function gatewayCommand(say: Say): Promise<void> {
  const config = readGatewayConfig()
  const log = pino({ level: config.logLevel, base: { pid: process.pid } })
  const gateway = await startGateway(config, log)
  stopOnSignal(log, gateway.stop)
  const started = (performance.now() / 1000).toFixed(1)
  say(`Tidings (gateway to ${[...config.cells.keys()].join(', ')}) is ready at ${gateway.url} after ${started} s.`)
}
