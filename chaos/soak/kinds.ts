/**
 * What is triggered. An event is made of its kind and its number alone, so whoever knows these two knows the whole event:
 * it is repeated byte for byte, and the oracle knows whom it was for, without a list of a million events in memory.
 */
export const kinds = ['inbox', 'topic', 'delay', 'digest', 'muted', 'mail', 'post', 'text'] as const
export type Kind = (typeof kinds)[number]

/** One environment each: its people, and how it reaches them. */
export const places = ['inbox', 'mail', 'post', 'text'] as const
export type Place = (typeof places)[number]

export const placeOf = (kind: Kind): Place => places.find((place) => place === kind) ?? 'inbox'

export const nameOf = (kind: Kind, n: number) => `${kind}-${n}`

/** Null: not one of ours. */
export function readName(name: string): { kind: Kind; n: number } | null {
  const [, word, digits] = /^([a-z]+)-(\d+)$/.exec(name) ?? []
  const kind = kinds.find((it) => it === word)
  return kind && digits !== undefined ? { kind, n: Number(digits) } : null
}

export const people = 2_000
export const gathered = 40
export const muted = 50
export const topicKey = 'everybody'
export const topicSize = 20
export const waitSeconds = 30

/** Of the environment of inboxes; the others have `senderWorkflow`. */
export const workflowOf = { inbox: 'inbox', topic: 'inbox', muted: 'inbox', delay: 'delay', digest: 'digest' } as const
/** Never triggered: people change their minds about it all the time. */
export const spareWorkflow = 'spare'

export const person = (n: number) => `person-${n % people}`
export const mutedPerson = (n: number) => `muted-${n % muted}`

export function eventOf(kind: Kind, n: number): Record<string, unknown> {
  return { ...contentOf(kind, n), transactionId: nameOf(kind, n) }
}

function contentOf(kind: Kind, n: number): Record<string, unknown> {
  switch (kind) {
    case 'inbox':
      // Every fifth one says the person's name anew.
      return inApp(kind, n % 5 === 0 ? { subscriberId: person(n), firstName: `Name ${n}` } : person(n))
    case 'topic':
      return inApp(kind, { type: 'Topic', topicKey })
    case 'muted':
      return inApp(kind, mutedPerson(n))
    case 'delay':
      return inApp(kind, person(n))
    case 'digest':
      return inApp(kind, `gathered-${n % gathered}`)
    case 'mail':
    case 'post':
      return outside(kind, n, { email: `reader-${n % people}@example.org` })
    case 'text':
      return outside(kind, n, { phone: `+4930${1_000_000 + (n % people)}` })
  }
}

function inApp(kind: keyof typeof workflowOf, to: unknown) {
  return { name: workflowOf[kind], to, payload: {} }
}

function outside(kind: Kind, n: number, address: Record<string, string>) {
  const to = { subscriberId: `reader-${n % people}`, ...address }
  return { name: 'chaos-outside', to, payload: { n: nameOf(kind, n) } }
}

/** How many people an event is for, and how many of them get a message of their own for it. */
export function expectedOf(kind: Kind): { notifications: number; messages: number } {
  if (kind === 'topic') return { notifications: topicSize, messages: topicSize }
  // A digest is one message for several events: it is counted by person.
  return { notifications: 1, messages: kind === 'muted' || kind === 'digest' ? 0 : 1 }
}

export type Way = {
  kind: Kind
  /** Of all events. */
  share: number
  /** Events of one call; 1: a single trigger. */
  bulk: readonly [min: number, max: number]
}

export const ways: readonly Way[] = [
  { kind: 'inbox', share: 0.58, bulk: [20, 100] },
  { kind: 'inbox', share: 0.06, bulk: [1, 1] },
  { kind: 'mail', share: 0.12, bulk: [5, 20] },
  { kind: 'mail', share: 0.02, bulk: [1, 1] },
  { kind: 'post', share: 0.03, bulk: [2, 6] },
  { kind: 'text', share: 0.05, bulk: [3, 10] },
  { kind: 'delay', share: 0.05, bulk: [2, 5] },
  { kind: 'digest', share: 0.05, bulk: [2, 8] },
  { kind: 'muted', share: 0.035, bulk: [1, 6] },
  { kind: 'topic', share: 0.005, bulk: [1, 1] },
]
