import type { Send } from '../../api/types.ts'
import type { Tone } from '../../ui/badge.tsx'

export const kindWords: Record<Send['kind'], string> = {
  broadcast: 'Broadcast',
  topic: 'To topics',
  list: 'To a list',
}

const states: Record<Send['state'], { word: string; tone: Tone }> = {
  running: { word: 'going out', tone: 'info' },
  canary: { word: 'first people', tone: 'info' },
  waiting: { word: 'waiting', tone: 'warn' },
  paused: { word: 'paused', tone: 'warn' },
  canceling: { word: 'canceling', tone: 'neutral' },
  canceled: { word: 'canceled', tone: 'neutral' },
  done: { word: 'done', tone: 'ok' },
}

const isByGuard = ({ reason }: Pick<Send, 'reason'>) => reason === 'failures' || reason === 'complaints'

export function stateWord(send: Pick<Send, 'state' | 'reason'>): { word: string; tone: Tone } {
  if (send.state === 'paused' && isByGuard(send)) return { word: 'stopped by itself', tone: 'bad' }
  return states[send.state]
}

export const isOver = ({ state }: Pick<Send, 'state'>) => state === 'done' || state === 'canceled'

const number = new Intl.NumberFormat('en')
export const count = (value: number) => number.format(value)
export const people = (value: number) => `${count(value)} ${value === 1 ? 'person' : 'people'}`

type Standing = Pick<Send, 'state' | 'reason' | 'reasonText' | 'canaryPeople' | 'guarded' | 'bounds' | 'resumesAt'> & {
  people: Pick<Send['people'], 'left'>
}

/** Where it stands and why, in words. Times are said beside it. */
export function standingOf(send: Standing): string {
  const { state, canaryPeople, resumesAt } = send
  const first = canaryPeople === null ? 'the first people' : `the first ${people(canaryPeople)}`
  switch (state) {
    case 'running':
      return `It is going out. ${guardOf(send)}`.trim()
    case 'canary':
      return `It begins with ${first}. The others wait for how that goes. ${guardOf(send)}`.trim()
    case 'waiting': {
      const next = resumesAt
        ? 'It goes on by itself, or when somebody resumes it.'
        : 'It waits for somebody to resume it.'
      return `It was sent to ${first}. ${next}`
    }
    case 'paused':
      return `${whyPaused(send)} ${people(send.people.left)} not reached yet wait.`
    case 'canceling':
      return 'It was canceled. Nothing goes out any more, and what was written is being taken back.'
    case 'canceled':
      return 'It was canceled. What was sent stays sent.'
    case 'done':
      return 'All of it is done.'
  }
}

function whyPaused(send: Standing): string {
  if (!isByGuard(send)) return 'Somebody paused it.'
  return `It stopped by itself: ${send.reasonText ?? 'too many messages failed'}.`
}

function guardOf({ guarded, bounds }: Pick<Send, 'guarded' | 'bounds'>): string {
  if (!guarded || !bounds) return 'Nothing stops it but a person.'
  return `It stops by itself when more than ${bounds.failuresPercent} % fail or ${bounds.complaintsPercent} % complain.`
}

export type Part = { id: string; label: string; value: number; colour: string }

/** What became of its messages, in the order of a bar. */
export function partsOf({ sent, failed, dead, unknown, skipped, canceled, waiting }: Send['messages']): Part[] {
  return [
    { id: 'sent', label: 'Sent', value: sent, colour: 'bg-ok' },
    { id: 'failed', label: 'Failed', value: failed + dead, colour: 'bg-bad' },
    { id: 'unknown', label: 'Without a clear answer', value: unknown, colour: 'bg-warn' },
    { id: 'skipped', label: 'Skipped', value: skipped, colour: 'bg-faint' },
    { id: 'canceled', label: 'Canceled', value: canceled, colour: 'bg-line-strong' },
    { id: 'waiting', label: 'Waiting', value: waiting, colour: 'bg-accent-soft' },
  ]
}
