import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Labels are cells and kinds of things, never a tenant. docs/metrics.md explains each. */
export type GatewayMetrics = ReturnType<typeof createGatewayMetrics>

const seconds = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export function createGatewayMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 20 })
  const registers = [registry]
  const gauge = <const L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Gauge({ name, help, labelNames, registers })
  const counter = <const L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter({ name, help, labelNames, registers })
  return {
    registry,
    requests: counter('tidings_gateway_requests_total', 'Answers of cells that were passed on', ['cell', 'status']),
    refused: counter('tidings_gateway_refused_total', 'Requests the gateway answered itself', ['cell', 'code']),
    repeats: counter('tidings_gateway_repeats_total', 'Requests sent again', ['reason']),
    questions: counter('tidings_gateway_questions_total', 'Questions to all cells whose something is', ['result']),
    seconds: new Histogram({
      name: 'tidings_gateway_request_seconds',
      help: 'From the request to the beginning of its answer',
      labelNames: ['cell'],
      buckets: seconds,
      registers,
    }),
    cellUp: gauge('tidings_gateway_cell_up', '1 when the cell answers, 0 when nothing is sent to it', ['cell']),
    cellReady: gauge('tidings_gateway_cell_ready', '1 when the cell says that it can work', ['cell']),
    inHand: gauge('tidings_gateway_in_hand', 'Requests that wait for the answer of a cell', ['cell']),
    waiting: gauge('tidings_gateway_waiting', 'Requests that wait for a place in a cell', ['cell']),
    open: gauge('tidings_gateway_open', 'Answers, streams and sockets being passed on', ['cell']),
    held: gauge('tidings_gateway_held', 'Requests that wait for the end of a move'),
    bufferedBytes: gauge('tidings_gateway_buffered_bytes', 'Bytes of bodies that are kept'),
    exceptions: gauge('tidings_gateway_map_entries', 'Environments that are not where their keys say'),
    mapAge: gauge('tidings_gateway_map_age_seconds', 'How long ago the control database last told where they are'),
  }
}
