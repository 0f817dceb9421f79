import { readGatewayConfig } from '../gateway/gateway-config.ts'
import { startGateway } from '../gateway/start-gateway.ts'
import { createLog } from './create-log.ts'
import type { Host } from './host.ts'
import { stopOnSignal } from './stop-on-signal.ts'

/** Runs a gateway in front of several cells. It has no database of its own and keeps no state but a map. */
export async function gatewayCommand({ print }: Host): Promise<void> {
  const config = readGatewayConfig()
  const log = createLog(config)
  const gateway = await startGateway(config, log)
  stopOnSignal(log, gateway.stop)
  const started = (performance.now() / 1000).toFixed(1)
  print(`Tidings (gateway to ${[...config.cells.keys()].join(', ')}) is ready at ${gateway.url} after ${started} s.`)
}
