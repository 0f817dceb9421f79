import { type Action, act } from '../simulators/provider-simulator.ts'
import { serveHttp } from '../simulators/serve-http.ts'
import { type SmtpAction, startSmtpSimulator } from '../simulators/smtp-simulator.ts'
import { type Counts, hashOf, makeCounts } from './counts.ts'
import { type Kind, readName } from './kinds.ts'

/**
 * What providers saw, as counts for each event: a ledger of a million lines would fill the disk and the memory. It is
 * counted before anybody is answered, and lives in this process, which no fault ends.
 */
export type Seen = { requests: Counts; effects: Counts; total: number }

export type Providers = {
  seen: Record<Outside, Seen>
  urls: { mail: string; text: string }
  ports: { http: number; smtp: number }
  /** What they do with every call from now on. */
  become(mood: Mood): void
}

export type Outside = Extract<Kind, 'mail' | 'post' | 'text'>

export const moods = ['well', 'slow', 'busy', 'down', 'forgetful'] as const
export type Mood = (typeof moods)[number]

const tenth = 0.1

export async function startProviders(chance: (probability: number) => boolean): Promise<Providers> {
  const [mail, post, text] = [makeSeen(), makeSeen(), makeSeen()]
  let mood: Mood = 'well'
  const http = await startHttp({ mail: keyed(mail), text: blind(text) }, () => httpAction(mood, chance))
  const ledger = {
    append: ({ about, accepted }: { about: string; accepted: boolean }) => blind(post)(about, '', accepted),
    count: () => post.total,
    read: () => [],
  }
  const smtp = await startSmtpSimulator(ledger, 'post', () => smtpAction(mood, chance), { remembers: false })
  return {
    seen: { mail, post, text },
    urls: { mail: `http://127.0.0.1:${http.port}/mail`, text: `http://127.0.0.1:${http.port}/text` },
    ports: { http: http.port, smtp: smtp.port },
    become(next) {
      mood = next
    },
  }
}

type Note = (about: string, key: string, accepted: boolean) => void

const makeSeen = (): Seen => ({ requests: makeCounts(), effects: makeCounts(), total: 0 })

/** Whatever it takes is delivered, as often as it comes. */
function blind(seen: Seen): Note {
  return (about, _key, accepted) => {
    const n = readName(about)?.n
    if (n === undefined) return
    seen.total++
    seen.requests.add(n)
    if (accepted) seen.effects.add(n)
  }
}

/** Drops what it has under its key. Of each message the first key is known: one that comes under another is a second message. */
function keyed(seen: Seen): Note {
  const keys = makeCounts(4)
  return (about, key, accepted) => {
    const n = readName(about)?.n
    if (n === undefined) return
    seen.total++
    seen.requests.add(n)
    if (!accepted || keys.get(n) === hashOf(key)) return
    if (keys.get(n) === 0) keys.set(n, hashOf(key))
    seen.effects.add(n)
  }
}

function httpAction(mood: Mood, chance: (probability: number) => boolean): Action {
  switch (mood) {
    case 'well':
      return { kind: 'ok' }
    case 'slow':
      return { kind: 'ok', delayMs: 3_000 }
    case 'busy':
      return chance(0.5) ? { kind: 'refuse', status: 429, headers: { 'retry-after': '2' } } : { kind: 'ok' }
    case 'down':
      return chance(0.5) ? { kind: 'reset before read' } : { kind: 'refuse', status: 503 }
    case 'forgetful':
      return chance(tenth) ? { kind: 'accept then reset' } : { kind: 'ok' }
  }
}

function smtpAction(mood: Mood, chance: (probability: number) => boolean): SmtpAction {
  switch (mood) {
    case 'well':
      return { kind: 'ok' }
    case 'slow':
      return { kind: 'ok', delayMs: 3_000 }
    case 'busy':
      return chance(0.5) ? { kind: 'refuse', code: 450 } : { kind: 'ok' }
    case 'down':
      return { kind: 'refuse', code: 421 }
    case 'forgetful':
      return chance(tenth) ? { kind: 'accept then reset' } : { kind: 'ok' }
  }
}

async function startHttp(routes: Record<string, Note>, choose: () => Action): Promise<{ port: number }> {
  const port = await serveHttp(async (request, response) => {
    const note = routes[(request.url ?? '').slice(1)]
    if (!note) {
      response.writeHead(404).end()
      return
    }
    const action = choose()
    const key = String(request.headers['webhook-id'] ?? '')
    if (action.kind !== 'reset before read') {
      const body = await readText(request)
      // The caller died in the middle of its request: nothing was taken.
      if (body === null) return
      note(aboutOf(body), key, action.kind !== 'refuse')
    }
    act(action, request, response)
  })
  return { port }
}

/** The event's own name is the subject of a mail and the whole of a text. */
const aboutOf = (body: string) => /"(?:subject|content)":"([a-z]+-\d+)"/.exec(body)?.[1] ?? ''

async function readText(request: AsyncIterable<Buffer>): Promise<string | null> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request) chunks.push(chunk)
    return Buffer.concat(chunks).toString()
  } catch {
    return null
  }
}
