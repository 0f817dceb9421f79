/** Browsers that listen, in a thread of their own, so that who measures beside it is not slowed by the listening. */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import type { WebSocket } from 'ws'
import { whenOver } from '../../chaos/lib/clean-up.ts'
import { openStockSocket } from '../../chaos/lib/stock-socket.ts'

type Listening = { url: string; tokens: readonly string[] }

/** Resolves when all are connected and have heard their counts. `close` answers how many messages they heard of. */
export async function startListeners(listening: Listening): Promise<{ close(): Promise<number> }> {
  const worker = new Worker(new URL(import.meta.url), { workerData: listening })
  const forget = whenOver(() => worker.terminate())
  const next = () =>
    new Promise<number>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
    })
  await next()
  return {
    async close() {
      const heard = next()
      worker.postMessage('close')
      const count = await heard
      await forget()
      return count
    },
  }
}

if (!isMainThread && parentPort) {
  const { url, tokens } = workerData as Listening
  const port = parentPort
  const sockets: WebSocket[] = []
  let heard = 0
  for (let from = 0; from < tokens.length; from += 100) {
    await Promise.all(tokens.slice(from, from + 100).map((token) => listen(token)))
  }
  port.on('message', () => {
    for (const socket of sockets) socket.close()
    port.postMessage(heard)
  })
  port.postMessage(0)

  function listen(token: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const event = (text: string) => {
        if (text.includes('unread_count_changed')) resolve()
        else if (text.includes('notification_received')) heard++
      }
      sockets.push(openStockSocket(url, token, { event, fault: reject }))
    })
  }
}
