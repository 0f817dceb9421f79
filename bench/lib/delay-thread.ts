/** A line to the cluster that takes its time, both ways. A thread of its own: the load generator must not add to it. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { whenOver } from '../../chaos/lib/clean-up.ts'

/** `target`: the path of a socket. */
type Line = { target: string; delayMs: number }

export async function startDelay(line: Line): Promise<{ port: number; stop(): Promise<void> }> {
  const worker = new Worker(new URL(import.meta.url), { workerData: line })
  const stop = whenOver(() => worker.terminate())
  const [port] = (await once(worker, 'message')) as [number]
  return { port, stop }
}

/** Timers of one length fire in the order in which they were set: what is sent first arrives first. */
function carry(from: Socket, to: Socket, delayMs: number): void {
  from.on('data', (chunk) => setTimeout(() => to.write(chunk), delayMs))
  from.on('close', () => setTimeout(() => to.destroy(), delayMs))
  from.on('error', () => from.destroy())
}

function serve({ target, delayMs }: Line): void {
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect(target)
    carry(near, far, delayMs)
    carry(far, near, delayMs)
  })
  server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port))
}

if (!isMainThread && parentPort) serve(workerData as Line)
