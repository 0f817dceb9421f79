import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { Cell } from './cell.ts'
import type { Question, Subject } from './find-subject.ts'
import type { Place } from './places.ts'

/** `unsure`: one that did not answer may have it. */
export type Told = (Place & { environmentId: string; state: string }) | 'unknown' | 'unsure'

export type AskCells = {
  /** All cells at once. A question is under way only once, and an unknown subject is remembered for some seconds. */
  everybody(subject: Subject): Promise<Told>
  /** One cell, for what must be fresh; remembered for a second. */
  one(cell: Cell, environmentId: string): Promise<Told>
}

const answerWithinMs = 2_000
const rememberUnknownMs = 5_000
const rememberFreshMs = 1_000
// Anybody can make up keys and links; more questions than this at a time are somebody's mischief.
const mostAtATime = 64

export function createAskCells(cells: readonly Cell[], token: string | undefined, log: Logger): AskCells {
  const unknown = new LRUCache<string, true>({ max: 10_000, ttl: rememberUnknownMs })
  const fresh = new LRUCache<string, Promise<Told>>({ max: 10_000, ttl: rememberFreshMs })
  const underWay = new Map<string, Promise<Told>>()

  async function ask(cell: Cell, { name, value }: Question): Promise<Told> {
    try {
      const { statusCode, body } = await cell.pool.request({
        method: 'GET',
        path: `/v1/cells/where?${new URLSearchParams({ [name]: value })}`,
        headers: { authorization: `Bearer ${token}`, 'tidings-gateway': '1' },
        signal: AbortSignal.timeout(answerWithinMs),
      })
      const json = await body.json()
      if (statusCode === 200) return toTold(json)
      if (statusCode === 404 && codeOf(json) !== 'route_not_found') return 'unknown'
      // Without CELL_TOKEN, or with another, a cell says nothing: it may well have what was asked for.
      log.error({ cell: cell.name, statusCode }, 'a cell cannot be asked: it needs the same CELL_TOKEN')
      return 'unsure'
    } catch (error) {
      log.debug({ err: error, cell: cell.name }, 'a cell did not say where something is')
      return 'unsure'
    }
  }

  async function askAll(name: string, question: Question): Promise<Told> {
    const told = await firstThatKnows(cells.map((cell) => ask(cell, question)))
    if (told === 'unknown') unknown.set(name, true)
    return told
  }

  return {
    everybody({ name, question }) {
      if (token === undefined || name === null || !question || unknown.has(name)) return Promise.resolve('unknown')
      const known = underWay.get(name)
      if (known) return known
      if (underWay.size >= mostAtATime) return Promise.resolve('unsure')
      const asked = askAll(name, question).finally(() => underWay.delete(name))
      underWay.set(name, asked)
      return asked
    },
    one(cell, environmentId) {
      if (token === undefined) return Promise.resolve('unsure')
      const name = `${cell.name} ${environmentId}`
      const known = fresh.get(name)
      if (known) return known
      const asked = ask(cell, { name: 'environment', value: environmentId })
      fresh.set(name, asked)
      return asked
    },
  }
}

/** Where it is arriving it does not live yet: the answer of its old cell counts, if that one knows it. */
function firstThatKnows(answers: readonly Promise<Told>[]): Promise<Told> {
  return new Promise((resolve) => {
    let missing = answers.length
    let last: Told = 'unknown'
    for (const answer of answers) {
      void answer.then((told) => {
        missing--
        if (typeof told === 'object' && told.state !== 'arriving') resolve(told)
        else if (typeof told === 'object' || last === 'unknown') last = told
        if (missing === 0) resolve(last)
      })
    }
  })
}

function codeOf(json: unknown): unknown {
  return typeof json === 'object' && json !== null && 'code' in json ? json.code : undefined
}

function toTold(json: unknown): Told {
  if (typeof json !== 'object' || json === null) return 'unsure'
  const { environmentId, cell, generation, state } = json as Record<string, unknown>
  const isWhole = typeof environmentId === 'string' && typeof cell === 'string' && Number.isInteger(generation)
  return isWhole ? { environmentId, cell, generation: Number(generation), state: String(state) } : 'unsure'
}
