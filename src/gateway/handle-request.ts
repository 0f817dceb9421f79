import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliDecompress, unzip } from 'node:zlib'
import type { Logger } from 'pino'
import type { AskCells } from './ask-cells.ts'
import { type Body, type Budget, type Kept, keepBody } from './body.ts'
import type { Cell } from './cell.ts'
import { findSubject, findSubjectInBody, type NamedInBody, namedInBody, pathOf, type Subject } from './find-subject.ts'
import type { GatewayMetrics } from './gateway-metrics.ts'
import { type IsTrusted, toCellHeaders } from './headers.ts'
import type { Holds } from './holds.ts'
import { type Outgoing, type Passed, passRequest } from './pass-request.ts'
import type { Place, Places } from './places.ts'
import { type GatewayError, refuse } from './replies.ts'

/** What every request needs. */
export type Parts = {
  cells: ReadonlyMap<string, Cell>
  places: Places
  /** A cell told where an environment is. Kept if it was moved there and this is news. */
  moved(environmentId: string, place: Place): void
  ask: AskCells
  holds: Holds
  budget: Budget
  metrics: GatewayMetrics
  isTrusted: IsTrusted
  holdMs: number
  log: Logger
}

const saneRequestId = /^[A-Za-z0-9._-]{1,128}$/
const tryEveryMs = 100
// A cell that gave an environment away may have given it to one that gave it on.
const mostMoves = 3

export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && saneRequestId.test(given) ? given : randomUUID()
}

/** Nobody's requests (pages, preflights, unknown keys) go to the first cell that can work. */
export function anyCell(cells: ReadonlyMap<string, Cell>): Cell | undefined {
  const all = [...cells.values()]
  return all.find((cell) => cell.state() === 'ready') ?? all.find((cell) => cell.state() !== 'down') ?? all[0]
}

/** Where to send it, from what is known or by asking all cells; null: it cannot be found out just now. */
export async function findPlace(
  { cells, places, moved, ask, metrics }: Parts,
  subject: Subject,
): Promise<Place | null> {
  const known = places.find(subject)
  if (known && cells.has(known.cell)) return known
  if (subject.question) {
    const told = await ask.everybody(subject)
    metrics.questions.inc({ result: typeof told === 'object' ? 'found' : told })
    if (told === 'unsure') return null
    if (typeof told === 'object') {
      places.learn(subject, told, told.environmentId)
      if (told.state !== 'arriving') moved(told.environmentId, told)
      return { cell: told.cell, generation: told.generation }
    }
  }
  const cell = anyCell(cells)
  return cell ? { cell: cell.name, generation: 0 } : null
}

export async function handleRequest(parts: Parts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const id = requestIdOf(request)
  const path = pathOf(request.url ?? '')
  const left = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) left.abort()
  })
  const begun = performance.now()
  let kept: Kept | null = null
  const keep = async (account: string) => {
    if (!kept) {
      if (/^100-continue$/i.test(request.headers.expect ?? '')) response.writeContinue()
      kept = await keepBody(request, parts.budget, account)
    }
    return kept.body
  }
  const stop = (code: GatewayError, cell = 'none') => {
    parts.metrics.refused.inc({ cell, code })
    refuse(response, code, { id, path })
  }
  try {
    const inBody = namedInBody(request)
    const named = inBody && (await keep(''))
    // Any cell refuses one that is too long; of the others only the right one may.
    if (named?.kind === 'stream' && (named.length ?? 0) <= mostNamedBytes) return stop('place_unknown')
    const subject = (inBody && named && (await subjectOfBody(inBody, named, request))) ?? findSubject(request)
    const place = await findPlace(parts, subject)
    if (!place) return stop('place_unknown')
    const way = { parts, request, response, subject, id, left: left.signal, begun, keep, stop }
    await followPlace(way, place)
  } finally {
    // Kept by `keep`, which the compiler does not see.
    ;(kept as Kept | null)?.release()
    // What nobody has read would stop the next request of the connection.
    request.resume()
  }
}

type Way = {
  parts: Parts
  request: IncomingMessage
  response: ServerResponse
  subject: Subject
  id: string
  left: AbortSignal
  begun: number
  keep(account: string): Promise<Body>
  stop(code: GatewayError, cell?: string): void
}

/** Sends it to the cell, and again where the cell says that it did nothing and why. */
async function followPlace(way: Way, first: Place): Promise<void> {
  const { parts, subject, stop } = way
  const deadline = performance.now() + parts.holdMs
  const turn = createTurn(parts.holds)
  let place = first
  let moves = 0
  try {
    for (;;) {
      const cell = parts.cells.get(place.cell)
      if (!cell || cell.state() === 'down') return stop('cell_unavailable', cell?.name)
      const body = await way.keep(cell.name)
      if (body.kind === 'broken') return
      const held = turn.isOurs() ? 'open' : await turn.wait(parts.places.holderOf(subject), deadline, way.left)
      if (held === 'gone') return
      if (held !== 'open') return stop('environment_held', cell.name)
      // The map may have changed meanwhile.
      const newer = parts.places.find(subject)
      if (newer && newer.generation > place.generation) {
        place = newer
        continue
      }
      const passed = await sendOnce(way, cell, place, body, turn.end)
      const next = nextPlace(passed, place)
      if (next) {
        parts.metrics.repeats.inc({ reason: 'moved' })
        place = noteMove(way, next, 'environmentId' in passed ? passed.environmentId : null)
        if (++moves > mostMoves) return stop('cell_unavailable', cell.name)
        if (body.kind === 'stream') return stop('environment_held', cell.name)
      } else if (passed.kind === 'held') {
        parts.places.learn(subject, place, passed.environmentId)
        const isLate = performance.now() + tryEveryMs > deadline
        if (isLate || body.kind === 'stream') return stop('environment_held', cell.name)
        await turn.take(parts.places.holderOf(subject), way.left)
        if (way.left.aborted) return
        parts.metrics.repeats.inc({ reason: 'held' })
      } else return finish(way, cell, passed, turn.end)
    }
  } finally {
    turn.resign()
  }
}

/** Of an environment that is held one request tries for all; this is one request's part in it. */
function createTurn(holds: Holds) {
  let ours: string | null = null
  return {
    isOurs: () => ours !== null,
    async wait(holder: string | null, deadline: number, left: AbortSignal): Promise<'open' | 'held' | 'gone'> {
      const held = await holds.pass(holder, deadline, left)
      if (held === 'try') ours = holder
      if (held === 'late' || held === 'full') return 'held'
      return held === 'gone' ? 'gone' : 'open'
    },
    /** The cell said that it is held: tries again soon, or leaves that to the one who does already. */
    async take(holder: string | null, left: AbortSignal): Promise<void> {
      if (holder !== null && ours === null && holds.begin(holder) === 'try') ours = holder
      if (ours !== null || holder === null) await sleep(tryEveryMs, undefined, { signal: left }).catch(() => {})
    },
    end() {
      if (ours !== null) holds.end(ours)
      ours = null
    },
    resign() {
      if (ours !== null) holds.resign(ours)
      ours = null
    },
  }
}

/** Where the cell sends it; null: nowhere that is newer than what we knew. */
function nextPlace(passed: Passed, place: Place): Place | null {
  const next = passed.kind === 'moved' ? passed : passed.kind === 'held' ? passed.lives : null
  return next && next.generation > place.generation ? next : null
}

function finish({ parts, stop }: Way, cell: Cell, passed: Exclude<Passed, { kind: 'held' }>, end: () => void): void {
  switch (passed.kind) {
    case 'passed':
      break
    case 'moved':
      // Two cells send each other what neither has.
      parts.log.error({ from: cell.name, to: passed.cell, generation: passed.generation }, 'cells disagree')
      stop('cell_unavailable', cell.name)
      break
    case 'malformed':
      stop('malformed_request', cell.name)
      break
    case 'unreached':
      end()
      stop('cell_unavailable', cell.name)
      break
    case 'unanswered':
      end()
      stop('no_answer', cell.name)
      break
    default:
      passed satisfies never
  }
}

function noteMove({ parts, subject }: Way, { cell, generation }: Place, environmentId: string | null): Place {
  const place = { cell, generation }
  parts.places.learn(subject, place, environmentId)
  const moved = environmentId ?? parts.places.environmentOf(subject)
  if (moved !== null) parts.moved(moved, place)
  return place
}

async function sendOnce(way: Way, cell: Cell, place: Place, body: Body, open: () => void): Promise<Passed> {
  const { parts, request, response, subject, id, left, begun, stop } = way
  const leave = await cell.enter(left)
  if (!leave || left.aborted || !cell.open()) {
    leave?.()
    if (!left.aborted) stop(cell.state() === 'down' ? 'cell_unavailable' : 'cell_busy', cell.name)
    return { kind: 'passed' }
  }
  try {
    return await passRequest(cell, toOutgoing(parts, request, id, body), response, (answer) => {
      // A cell that has begun to answer does not hang, however slow the client reads.
      leave()
      open()
      parts.metrics.requests.inc({ cell: cell.name, status: answer.status })
      parts.metrics.seconds.observe({ cell: cell.name }, (performance.now() - begun) / 1000)
      if (answer.environmentId === null) return
      // A cell may go by another part of the request than we: then it says nothing about this one's subject.
      if ((parts.places.environmentOf(subject) ?? answer.environmentId) !== answer.environmentId) return
      parts.places.learn(subject, place, answer.environmentId)
      // Only its key or link was known when another cell told of the move.
      parts.moved(answer.environmentId, place)
    })
  } finally {
    leave()
    cell.closed()
  }
}

function toOutgoing(parts: Parts, request: IncomingMessage, id: string, body: Body): Outgoing {
  const { method = 'GET', url = '/', headers } = request
  const isStream = (headers.accept?.includes('text/event-stream') ?? false) || /\/stream$/.test(pathOf(url))
  return { method, path: url, headers: toCellHeaders(request, id, parts.isTrusted), body, isStream }
}

const mostNamedBytes = 1024 * 1024
const inflate = {
  gzip: promisify(unzip),
  deflate: promisify(unzip),
  br: promisify(brotliDecompress),
}

/** Null: it cannot be read here, so the headers must tell; the cell says what is wrong with it. */
async function subjectOfBody(kind: NamedInBody, body: Body, { headers }: IncomingMessage): Promise<Subject | null> {
  if (body.kind !== 'whole' || body.bytes.length > mostNamedBytes) return null
  const encoding = headers['content-encoding'] ?? 'identity'
  try {
    const open = encoding === 'gzip' || encoding === 'deflate' || encoding === 'br' ? inflate[encoding] : null
    const bytes = open ? await open(body.bytes, { maxOutputLength: mostNamedBytes }) : body.bytes
    return findSubjectInBody(kind, JSON.parse(bytes.toString('utf8')))
  } catch {
    return null
  }
}
