/** Offers calls from a thread of its own, so that who measures beside it is not slowed by the offering. */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { whenOver } from '../../chaos/lib/clean-up.ts'
import { bulkBodies } from './events.ts'
import { type Sent, sendLoad, type Target } from './load.ts'

type Flood = { target: Target; perSecond: number; forMs: number; people: number; connections: number }

export function startFlood(flood: Flood): Promise<Sent> {
  const worker = new Worker(new URL(import.meta.url), { workerData: flood })
  whenOver(() => worker.terminate())
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

if (!isMainThread && parentPort) {
  const { target, people, ...options } = workerData as Flood
  parentPort.postMessage(await sendLoad(target, { ...options, bodies: bulkBodies(200, people), isFlood: true }))
}
