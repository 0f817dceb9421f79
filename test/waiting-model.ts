/**
 * A simple model of waiting steps, which the real code is compared with. No database, no tasks, no locks; one thing
 * happens after the other.
 */
export type ModelStep =
  | { kind: 'throttle'; threshold: number; minutes: number }
  /** A throttle that is not active: it lets everything through. */
  | { kind: 'idle throttle' }
  | { kind: 'digest'; seconds: number; lookBackSeconds?: number }
  | { kind: 'delay'; seconds: number }
  | { kind: 'send' }

const send: ModelStep = { kind: 'send' }
export const modelWorkflows: Record<string, readonly ModelStep[]> = {
  digest: [{ kind: 'digest', seconds: 60 }, send],
  backoff: [{ kind: 'digest', seconds: 60, lookBackSeconds: 30 }, send],
  throttle: [{ kind: 'throttle', threshold: 2, minutes: 1 }, send],
  delay: [{ kind: 'delay', seconds: 45 }, send],
  all: [
    { kind: 'throttle', threshold: 3, minutes: 2 },
    { kind: 'digest', seconds: 60 },
    { kind: 'delay', seconds: 20 },
    send,
  ],
  idle: [{ kind: 'idle throttle' }, { kind: 'digest', seconds: 30 }, send],
}
export type WorkflowName = string

export type ModelEvent = { n: number; workflow: WorkflowName; key: string; people: readonly string[] }
type State = 'waiting' | 'ready' | 'merged' | 'sent' | 'skipped' | 'canceled'
type Item = {
  event: ModelEvent
  who: string
  steps: readonly ModelStep[]
  at: number
  state: State
  until: number
  window: Window | null
}
type Window = { carrier: Item; members: Item[]; closesAt: number; isClosed: boolean }
type Slot = { window: Window | null; lookBackUntil: number }
export type ModelMessage = { who: string; members: number[] }

export type Model = {
  accept(event: ModelEvent): void
  expand(n: number, now: number): void
  /** Ends the waits that are due. */
  wake(now: number): void
  /** Runs the steps after a wait that is over, if there is one. */
  resume(n: number, who: string, now: number): void
  /** Returns how many jobs it stops. */
  cancel(n: number): number
  messages(): ModelMessage[]
  skipped(): number
  canceled(): number
  /** Nothing waits and nothing is left to do. */
  isQuiet(): boolean
}

export function createModel(): Model {
  const accepted = new Map<number, ModelEvent>()
  const items: Item[] = []
  const slots = new Map<string, Slot>()
  const counts = new Map<string, { count: number; endsAt: number }>()
  const sent: ModelMessage[] = []
  const nameOf = (item: Item) => [item.event.workflow, item.at, item.who, item.event.key].join(' ')

  function slotOf(item: Item): Slot {
    const slot = slots.get(nameOf(item)) ?? { window: null, lookBackUntil: 0 }
    slots.set(nameOf(item), slot)
    return slot
  }

  /** Runs from the current step until the item waits or is done. */
  function walk(item: Item, now: number): void {
    for (; ; item.at++) {
      const step = item.steps[item.at]
      if (!step) return
      if (step.kind === 'throttle' && isOver(item, step, now)) {
        item.state = 'skipped'
        return
      }
      if (step.kind === 'digest') {
        gather(item, step, now)
        return
      }
      if (step.kind === 'delay') {
        Object.assign(item, { state: 'waiting', until: now + step.seconds * 1000 })
        return
      }
      if (step.kind === 'send') {
        item.state = 'sent'
        const members = item.window?.members ?? [item]
        sent.push({ who: item.who, members: members.map((it) => it.event.n).sort((a, b) => a - b) })
      }
    }
  }

  function isOver(item: Item, step: ModelStep & { kind: 'throttle' }, now: number): boolean {
    const running = counts.get(nameOf(item))
    const window = running && running.endsAt > now ? running : { count: 0, endsAt: now + step.minutes * 60_000 }
    window.count += 1
    counts.set(nameOf(item), window)
    return window.count > step.threshold
  }

  function gather(item: Item, step: ModelStep & { kind: 'digest' }, now: number): void {
    const slot = slotOf(item)
    if (slot.window) {
      slot.window.members.push(item)
      Object.assign(item, { state: 'merged', window: slot.window })
      return
    }
    if (step.lookBackSeconds !== undefined && slot.lookBackUntil <= now) {
      slot.lookBackUntil = now + step.lookBackSeconds * 1000
      item.state = 'ready'
      return
    }
    const closesAt = now + step.seconds * 1000
    slot.window = { carrier: item, members: [item], closesAt, isClosed: false }
    slot.lookBackUntil = 0
    Object.assign(item, { state: 'waiting', until: closesAt, window: slot.window })
  }

  /** Leaves an open window; the first of the others then waits instead. */
  function leave(item: Item, window: Window): void {
    window.members = window.members.filter((it) => it !== item)
    if (window.carrier !== item) return
    const successor = window.members.toSorted((a, b) => a.event.n - b.event.n)[0]
    if (!successor) {
      slotOf(item).window = null
      return
    }
    window.carrier = successor
    Object.assign(successor, { state: 'waiting', until: window.closesAt })
  }

  function cancelItem(item: Item): number {
    const { state, window } = item
    if (state !== 'waiting' && state !== 'ready' && state !== 'merged') return 0
    if (window?.isClosed) {
      // It holds the events of others, or another holds it: too late to stop.
      if (state === 'merged' || window.members.length > 1) return 0
    } else if (window) leave(item, window)
    item.state = 'canceled'
    return item.steps.length - item.at - (state === 'ready' ? 1 : 0)
  }

  return {
    accept: (event) => void accepted.set(event.n, event),
    expand(n, now) {
      const event = accepted.get(n)
      if (!event) return
      accepted.delete(n)
      for (const who of event.people) {
        const steps = modelWorkflows[event.workflow] ?? []
        const item: Item = { event, who, steps, at: 0, state: 'ready', until: 0, window: null }
        items.push(item)
        walk(item, now)
      }
    },
    wake(now) {
      for (const item of items) {
        if (item.state !== 'waiting' || item.until > now) continue
        item.state = 'ready'
        if (item.window && !item.window.isClosed) {
          item.window.isClosed = true
          const step = item.steps[item.at]
          // The digest is sent: from now on backoff looks back.
          const look = step?.kind === 'digest' ? step.lookBackSeconds : undefined
          Object.assign(slotOf(item), { window: null, lookBackUntil: look === undefined ? 0 : now + look * 1000 })
        }
      }
    },
    resume(n, who, now) {
      const item = items.find((it) => it.event.n === n && it.who === who)
      if (item?.state !== 'ready') return
      item.at++
      walk(item, now)
    },
    cancel(n) {
      if (accepted.delete(n)) return 1
      return items.filter((it) => it.event.n === n).reduce((sum, item) => sum + cancelItem(item), 0)
    },
    messages: () => sent,
    skipped: () => items.filter((it) => it.state === 'skipped').length,
    canceled: () => items.filter((it) => it.state === 'canceled').length,
    isQuiet: () => accepted.size === 0 && items.every((it) => it.state !== 'waiting' && it.state !== 'ready'),
  }
}

/** The same steps as the API takes them. */
export function toStepsInput(steps: readonly ModelStep[]): object[] {
  return steps.map((step, index) => ({ stepId: `step-${index}`, name: `Step ${index}`, ...toStepInput(step) }))
}

function toStepInput(step: ModelStep): object {
  const amount = (seconds: number) => ({ amount: seconds, unit: 'seconds' })
  switch (step.kind) {
    case 'throttle':
      return {
        type: 'throttle',
        controlValues: { amount: step.minutes, unit: 'minutes', threshold: step.threshold, throttleKey: 'payload.key' },
      }
    case 'idle throttle':
      return { type: 'throttle', active: false, controlValues: { amount: 1, unit: 'minutes', threshold: 1 } }
    case 'digest': {
      const look = step.lookBackSeconds
      const values = { ...amount(step.seconds), digestKey: 'payload.key' }
      return {
        type: 'digest',
        controlValues: look === undefined ? values : { ...values, lookBackWindow: amount(look) },
      }
    }
    case 'delay':
      return { type: 'delay', controlValues: amount(step.seconds) }
    case 'send':
      return { type: 'in_app', controlValues: { body: 'members' } }
  }
}
