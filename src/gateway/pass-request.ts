import type { ServerResponse } from 'node:http'
import { type Dispatcher, errors } from 'undici'
import type { Body } from './body.ts'
import type { Cell } from './cell.ts'
import { toClientHeaders } from './headers.ts'
import type { Place } from './places.ts'

/** The request as every cell gets it. */
export type Outgoing = { method: string; path: string; headers: string[]; body: Body; isStream: boolean }

/**
 * `passed`: the client has its answer, or has left. `moved` and `held`: the cell did nothing, and said so; one where it
 * is arriving tells where it lives so far. `unreached`:
 * nothing was sent. `malformed`: nor can it be. `unanswered`: the cell may have done what it was asked.
 */
export type Passed =
  | { kind: 'passed' }
  | { kind: 'moved'; cell: string; generation: number; environmentId: string | null }
  | { kind: 'held'; lives: Place | null; environmentId: string | null }
  | { kind: 'unreached'; error: Error }
  | { kind: 'malformed' }
  | { kind: 'unanswered'; error: Error }

export type Answer = { status: number; environmentId: string | null }

type Headers = Record<string, string | string[] | undefined>

// Past this nobody reads on the other side.
const stallMs = 30_000

/** Sends the request to a cell once. `began` is told when the client's answer begins; from there on nothing is repeated. */
export function passRequest(cell: Cell, outgoing: Outgoing, response: ServerResponse, began: Began): Promise<Passed> {
  return new Promise((resolve) => {
    const own = outgoing.isStream ? cell.openStream() : null
    const handler = createRelay(response, began, (passed) => {
      void own?.destroy()
      resolve(passed)
    })
    try {
      const { method, path } = outgoing
      const options = { method: method as Dispatcher.HttpMethod, path, ...bodyOptions(outgoing), reset: false }
      const dispatcher: Dispatcher = own ?? cell.pool
      dispatcher.dispatch(options, handler)
    } catch (error) {
      handler.onResponseError(null, error instanceof Error ? error : new Error(String(error)))
    }
  })
}

function bodyOptions({ headers, body }: Outgoing) {
  switch (body.kind) {
    case 'whole':
      return { headers, body: body.bytes }
    case 'stream': {
      const length = body.length === null ? [] : ['content-length', String(body.length)]
      return { headers: [...headers, ...length], body: body.read() }
    }
    default:
      return { headers, body: null }
  }
}

type Began = (answer: Answer) => void

/** Passes an answer on, at the pace of the client. */
function createRelay(response: ServerResponse, began: Began, settle: (passed: Passed) => void) {
  let controller: Dispatcher.DispatchController | null = null
  let refusal: Passed | null = null
  let wasSent = false
  let isOver = false
  let stall: NodeJS.Timeout | undefined

  const clientLeft = () => {
    if (!response.writableFinished && !isOver) controller?.abort(new Error('the client left'))
  }
  const drained = () => {
    clearTimeout(stall)
    stall = undefined
    controller?.resume()
  }
  const end = (passed: Passed) => {
    if (isOver) return
    isOver = true
    clearTimeout(stall)
    response.off('close', clientLeft).off('drain', drained)
    settle(passed)
  }
  response.on('close', clientLeft).on('drain', drained)

  return {
    onRequestStart(given: Dispatcher.DispatchController) {
      controller = given
      // It may have left while this waited for a connection.
      if (response.destroyed) return given.abort(new Error('the client left'))
      wasSent = true
    },
    onResponseStart(_: unknown, status: number, headers: Headers, message?: string) {
      if (status < 200) return
      refusal = readRefusal(status, headers)
      if (refusal) return
      began({ status, environmentId: textOf(headers['tidings-environment']) })
      const passed = toClientHeaders(headers)
      if (message) response.writeHead(status, message, passed)
      else response.writeHead(status, passed)
      // Streams say nothing for some time, and the client must know that it is heard.
      if (isEventStream(headers)) response.flushHeaders()
    },
    onResponseData(given: Dispatcher.DispatchController, chunk: Buffer) {
      if (refusal || response.write(chunk)) return
      given.pause()
      stall ??= setTimeout(() => response.destroy(), stallMs)
    },
    onResponseEnd(_: unknown, trailers: Headers) {
      if (!refusal) {
        for (const [name, value] of Object.entries(trailers)) response.addTrailers({ [name]: String(value) })
        response.end()
        // What is left of it is on its way to the client, who may never read it.
        const late = setTimeout(() => response.destroy(), stallMs)
        response.once('close', () => clearTimeout(late))
      }
      end(refusal ?? { kind: 'passed' })
    },
    onResponseError(_: unknown, error: Error) {
      if (refusal) return end(refusal)
      if (response.headersSent || response.destroyed) {
        // Cut, so that half an answer does not look like a whole one.
        response.destroy()
        return end({ kind: 'passed' })
      }
      if (error instanceof errors.InvalidArgumentError) return end({ kind: 'malformed' })
      end({ kind: wasSent ? 'unanswered' : 'unreached', error })
    },
  } satisfies Dispatcher.DispatchHandler
}

/** Only what a cell says of itself: with these headers it has done nothing. */
export function readRefusal(status: number, headers: Headers): Passed | null {
  const environmentId = textOf(headers['tidings-environment'])
  const cell = textOf(headers['tidings-cell'])
  const generation = textOf(headers['tidings-generation']) ?? ''
  const place = cell !== null && /^\d{1,9}$/.test(generation) ? { cell, generation: Number(generation) } : null
  if (status === 421 && place) return { kind: 'moved', ...place, environmentId }
  if (status === 503 && headers['tidings-held'] !== undefined) return { kind: 'held', lives: place, environmentId }
  return null
}

function textOf(value: string | string[] | undefined): string | null {
  return typeof value === 'string' ? value : null
}

function isEventStream(headers: Headers): boolean {
  return textOf(headers['content-type'])?.startsWith('text/event-stream') ?? false
}
