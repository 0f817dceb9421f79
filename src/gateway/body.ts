import type { IncomingMessage } from 'node:http'
import { PassThrough, type Readable } from 'node:stream'

/** `whole` can be sent again. `stream`: it did not fit, and can be sent once. */
export type Body =
  | { kind: 'none' }
  | { kind: 'whole'; bytes: Buffer }
  | { kind: 'stream'; length: number | null; read(): Readable }
  | { kind: 'broken' }

/** Bytes of bodies that are kept at a time. A cell may take half, so that one that hangs leaves room for the others. */
export type Budget = {
  take(account: string, bytes: number): boolean
  give(account: string, bytes: number): void
  used(): number
}

export function createBudget(total: number): Budget {
  const accounts = new Map<string, number>()
  let used = 0
  const add = (account: string, bytes: number) => {
    used += bytes
    const left = (accounts.get(account) ?? 0) + bytes
    if (left === 0) accounts.delete(account)
    else accounts.set(account, left)
  }
  return {
    used: () => used,
    take(account, bytes) {
      if (used + bytes > total || (accounts.get(account) ?? 0) + bytes > total / 2) return false
      add(account, bytes)
      return true
    },
    give: (account, bytes) => add(account, -bytes),
  }
}

export type Kept = { body: Body; release(): void }

/**
 * Reads the body to its end before a cell is asked: a slow sender takes no place there, and the request can be repeated.
 * What does not fit is passed on as it comes.
 */
export function keepBody(request: IncomingMessage, budget: Budget, account: string): Promise<Kept> {
  const { headers } = request
  const isNone = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0
  if (isNone) return Promise.resolve({ body: { kind: 'none' }, release() {} })
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let taken = 0
    const release = () => {
      budget.give(account, taken)
      taken = 0
    }
    const settle = (body: Body) => {
      request.off('data', read).off('end', end).off('close', broken).off('error', broken)
      resolve({ body, release })
    }
    const read = (chunk: Buffer) => {
      chunks.push(chunk)
      if (budget.take(account, chunk.length)) {
        taken += chunk.length
        return
      }
      request.pause()
      const length = headers['content-length'] === undefined ? null : Number(headers['content-length'])
      settle({ kind: 'stream', length, read: () => joined(chunks, request) })
    }
    const end = () =>
      settle({ kind: 'whole', bytes: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks) })
    const broken = () => settle({ kind: 'broken' })
    request.on('data', read).once('end', end).once('close', broken).once('error', broken)
  })
}

/** Not the request itself: whoever is done with a body destroys it, and with a request its connection would go. */
function joined(chunks: Buffer[], request: IncomingMessage): Readable {
  const stream = new PassThrough()
  for (const chunk of chunks.splice(0)) stream.write(chunk)
  stream.on('error', () => {})
  request.once('error', (error) => stream.destroy(error))
  request.once('close', () => {
    if (!request.complete) stream.destroy(new Error('the client left'))
  })
  request.pipe(stream)
  return stream
}
