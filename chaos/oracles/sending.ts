import { send } from '../lib/http.ts'
import { at, listAt } from '../lib/json.ts'
import type { Acknowledged, Sender } from '../lib/outside-stage.ts'
import { collectFaults, type Faults } from '../lib/red.ts'
import type { World } from '../lib/world.ts'
import type { Entry } from '../simulators/ledger.ts'

export type MessageState = {
  id: string
  about: string
  delivery: string | null
  status: string
  errorId: string | null
  attempts: number
  retryAt: Date | null
}
export type AttemptState = { id: string; messageId: string; number: number; outcome: string | null }

export async function readMessages(world: World, { tenant }: Sender): Promise<MessageState[]> {
  return world.sql<MessageState>(
    `select id, transaction_id as about, delivery, status, error_id as "errorId", attempts, retry_at as "retryAt"
     from message where environment_id = $1 and channel <> 'in_app' order by id`,
    [tenant.environmentId],
  )
}

export async function readAttempts(world: World, { tenant }: Sender): Promise<AttemptState[]> {
  return world.sql<AttemptState>(
    `select id, message_id as "messageId", number, outcome from attempt where environment_id = $1 order by id`,
    [tenant.environmentId],
  )
}

/** What came of one sender's messages, counted. */
export type Tally = {
  acknowledged: number
  /** Requests the provider saw. */
  requests: number
  /** Acknowledged events whose effect stands in the ledger. */
  arrived: number
  /** Effects beyond the first of the same event. */
  doubles: number
  /** Attempts recorded as unknown. */
  unknown: number
  /** Messages marked `delivery_unknown`. */
  marked: number
  dead: number
  /** Not in the ledger, and the message says why. */
  explained: number
  lost: number
}

type Given = {
  world: World
  /** An API node to ask. */
  url: string
  sender: Sender
  acknowledged: readonly Acknowledged[]
  entries: readonly Entry[]
  /** The provider knows our key, or is blind to it. */
  keyed: boolean
}

/**
 * I1 to I4 against what the client and the provider know. Nothing lost: an acknowledged event is in the ledger, or its
 * message says why not. Keyed: no double effect. Keyless: no more doubles than tries recorded as unknown, message by
 * message, each marked. And never more requests than there are intents.
 */
export async function judgeSending({ world, url, sender, acknowledged, entries, keyed }: Given): Promise<Tally> {
  const faults = collectFaults()
  const messages = await readMessages(world, sender)
  const attempts = Map.groupBy(await readAttempts(world, sender), (attempt) => attempt.messageId)
  const byAbout = Map.groupBy(messages, (message) => message.about)
  const effects = Map.groupBy(
    entries.filter((entry) => entry.effect),
    (entry) => entry.about,
  )
  const tally: Tally = {
    acknowledged: acknowledged.length,
    requests: entries.length,
    arrived: 0,
    doubles: 0,
    unknown: [...attempts.values()].flat().filter((attempt) => attempt.outcome === 'unknown').length,
    marked: messages.filter((message) => message.errorId === 'delivery_unknown').length,
    dead: messages.filter((message) => message.delivery === 'dead').length,
    explained: 0,
    lost: 0,
  }
  for (const { about } of acknowledged) {
    const [message, second] = byAbout.get(about) ?? []
    const arrivals = effects.get(about)?.length ?? 0
    if (second) faults.add(`${about} has two messages`)
    if (!message) {
      tally.lost++
      faults.add(`LOST: ${about} has no message and ${arrivals} effects`)
      continue
    }
    if (arrivals === 0) judgeAbsent(tally, faults, message)
    else tally.arrived++
    if (arrivals > 1) {
      tally.doubles += arrivals - 1
      const unknown = (attempts.get(message.id) ?? []).filter((attempt) => attempt.outcome === 'unknown').length
      if (keyed) faults.add(`DOUBLE: ${about} had its effect ${arrivals} times`)
      else judgeDouble(faults, message, arrivals - 1, unknown)
    }
  }
  judgeIntents(faults, messages, attempts, entries)
  await judgeShown(faults, url, sender, messages)
  faults.end()
  return tally
}

/** A message that says "sent" or says nothing may not be missing at the provider. */
function judgeAbsent(tally: Tally, faults: Faults, message: MessageState): void {
  const says = message.delivery !== 'open' && message.delivery !== 'sent' && message.errorId !== null
  if (says) tally.explained++
  else {
    tally.lost++
    faults.add(`LOST: ${message.about} is not in the ledger; its message says ${JSON.stringify(message)}`)
  }
}

function judgeDouble(faults: Faults, message: MessageState, doubles: number, unknown: number): void {
  if (doubles > unknown) {
    faults.add(`DOUBLE: ${message.about} came ${doubles + 1} times with ${unknown} attempts recorded unknown`)
  } else if (message.status !== 'warning' || message.errorId !== 'delivery_unknown') {
    faults.add(`HIDDEN DOUBLE: ${message.about} came ${doubles + 1} times and says ${JSON.stringify(message)}`)
  }
}

/** I4: whatever the provider saw of a message had its row first, and every row has an end. */
function judgeIntents(
  faults: Faults,
  messages: readonly MessageState[],
  attempts: ReadonlyMap<string, readonly AttemptState[]>,
  entries: readonly Entry[],
): void {
  const requests = Map.groupBy(
    entries.filter((entry) => entry.about !== ''),
    (entry) => entry.about,
  )
  for (const message of messages) {
    const rows = attempts.get(message.id) ?? []
    const seen = requests.get(message.about)?.length ?? 0
    if (seen > rows.length)
      faults.add(`NO INTENT: ${message.about} was requested ${seen} times in ${rows.length} attempts`)
    if (rows.length !== message.attempts)
      faults.add(`${message.about} counts ${message.attempts} of ${rows.length} attempts`)
    if (message.delivery !== 'open' && rows.some((row) => row.outcome === null)) {
      faults.add(`${message.about} is ${message.delivery} with an attempt still open`)
    }
  }
}

const shown = 20

/** The doubtful ones are seen by whoever asks the API, not only in the table. */
async function judgeShown(faults: Faults, url: string, { tenant }: Sender, messages: readonly MessageState[]) {
  for (const message of messages.filter((it) => it.errorId === 'delivery_unknown').slice(0, shown)) {
    const path = `/v1/messages?transactionId=${message.about}`
    const reply = await send(url, 'GET', path, { key: tenant.key })
    const [told] = listAt(reply.body, 'data')
    if (at(told, 'status') !== 'warning' || at(told, 'errorId') !== 'delivery_unknown') {
      faults.add(`GET ${path} does not say delivery_unknown: ${reply.text}`)
    }
  }
}

export function table(rows: readonly { name: string; tally: Tally; seconds: number }[]): string {
  const heads = [
    '',
    'acknowledged',
    'requests',
    'arrived',
    'doubles',
    'unknown',
    'marked',
    'dead',
    'explained',
    'lost',
    's',
  ]
  const lines = rows.map(({ name, tally, seconds }) => [
    name,
    ...heads.slice(1, -1).map((head) => String(tally[head as keyof Tally])),
    seconds.toFixed(1),
  ])
  const widths = heads.map((head, column) => Math.max(head.length, ...lines.map((line) => line[column]?.length ?? 0)))
  const write = (line: readonly string[]) => line.map((cell, column) => cell.padStart(widths[column] ?? 0)).join('  ')
  return [heads, ...lines].map((line) => `\n      ${write(line)}`).join('')
}
