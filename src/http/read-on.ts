import type { IncomingMessage } from 'node:http'
import { type Duplex, Readable } from 'node:stream'

// What a refused sender may still send while we listen: enough for a body somewhat past any limit of ours.
const mostBytes = 64 * 1024 * 1024
const mostMs = 10_000
const mostSilenceMs = 1_000

/**
 * The reply to a request whose body is not read: it leaves at once, and what still comes is read and thrown away before
 * the connection closes. Closed earlier, a client that writes first and reads then would see a broken pipe in place of
 * the reply.
 */
export function answerAndReadOn(text: string, request: IncomingMessage): Readable {
  return Readable.from(
    (async function* () {
      yield text
      await readOn(request)
    })(),
    { objectMode: false },
  )
}

/** The last word on a connection without a request. Cut a second later: the other side might never hang up. */
export function answerAndCut(text: string, socket: Duplex): void {
  socket.end(text)
  const cut = setTimeout(() => socket.destroy(), mostSilenceMs).unref()
  socket.once('close', () => clearTimeout(cut))
}

function readOn(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let bytes = 0
    const end = () => {
      clearTimeout(deadline)
      clearTimeout(silence)
      request.off('data', count)
      resolve()
    }
    const deadline = setTimeout(end, mostMs)
    const silence = setTimeout(end, mostSilenceMs)
    const count = (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > mostBytes) end()
      else silence.refresh()
    }
    request.on('data', count).once('end', end).once('close', end).once('error', end)
    if (request.complete || request.destroyed) end()
    else request.resume()
  })
}
