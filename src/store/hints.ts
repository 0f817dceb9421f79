import type pg from 'pg'
import { type Listener, listenTo, openSignalPool, sendSignals } from './signals/channel.ts'

/** That something is new in a person's feed: a message, or (null) a change of others. The rows say what. */
export type Hint = { environmentId: string; subscriberId: string; messageId: string | null }

const channel = 'tidings_inbox'
const name = 'tidings hints'
// PostgreSQL takes 8,000 bytes at once. An entry is two ids, each in 22 characters.
const entriesAtOnce = 175
const noMessage = '-'.repeat(22)

/** Tells every node that listens. Nothing is kept: whoever does not hear it finds it in the rows. */
export async function sendHints(pool: pg.Pool, hints: readonly Hint[]): Promise<void> {
  const payloads: string[] = []
  for (const [environmentId, ofOne] of Map.groupBy(hints, (hint) => hint.environmentId)) {
    for (let from = 0; from < ofOne.length; from += entriesAtOnce) {
      const entries = ofOne.slice(from, from + entriesAtOnce)
      const texts = entries.map((it) => short(it.subscriberId) + (it.messageId ? short(it.messageId) : noMessage))
      payloads.push(short(environmentId) + texts.join(''))
    }
  }
  await sendSignals(pool, channel, payloads)
}

export function readHints(payload: string): Hint[] {
  const environmentId = long(payload.slice(0, 22))
  const hints: Hint[] = []
  for (let at = 22; at + 44 <= payload.length; at += 44) {
    const message = payload.slice(at + 22, at + 44)
    const subscriberId = long(payload.slice(at, at + 22))
    hints.push({ environmentId, subscriberId, messageId: message === noMessage ? null : long(message) })
  }
  return hints
}

export function openHintPool(url: string): pg.Pool {
  return openSignalPool(url, name)
}

/** Listens until it is closed. `onBegin`: from here on nothing is missed; what came before may have been. */
export function listenForHints(
  url: string,
  { onHints, ...on }: { onHints(hints: Hint[]): void; onBegin(): void; onFault(error: unknown): void },
): Listener {
  return listenTo({ url, name, channel }, { ...on, onSignal: (payload) => onHints(readHints(payload)) })
}

function short(uuid: string): string {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex').toString('base64url')
}

function long(text: string): string {
  const hex = Buffer.from(text, 'base64url').toString('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
