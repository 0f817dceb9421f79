import type { ReactNode } from 'react'

export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'neutral'

const tones: Record<Tone, string> = {
  ok: 'bg-ok-soft text-ok',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  info: 'bg-accent-soft text-accent',
  neutral: 'bg-neutral-soft text-muted',
}

export function Badge({ tone = 'neutral', children, title }: { tone?: Tone; children: ReactNode; title?: string }) {
  return (
    <span
      title={title}
      className={`inline-flex h-5 items-center rounded px-1.5 text-xs font-medium whitespace-nowrap ${tones[tone]}`}
    >
      {children}
    </span>
  )
}

/** The words of the specification and of our own API, and what they mean for the one who looks. */
const toneOf: Record<string, Tone> = {
  sent: 'ok',
  delivered: 'ok',
  completed: 'ok',
  success: 'ok',
  active: 'ok',
  accepted: 'info',
  processed: 'ok',
  read: 'ok',
  seen: 'ok',
  open: 'info',
  pending: 'info',
  queued: 'info',
  running: 'info',
  delayed: 'info',
  waiting: 'info',
  retry: 'warn',
  warning: 'warn',
  unknown: 'warn',
  failed: 'bad',
  error: 'bad',
  rejected: 'bad',
  bounced: 'bad',
  dead: 'bad',
  critical: 'bad',
}

/** A status as the API says it, in the colour of what it means. An unknown word is grey, never hidden. */
export function Status({ value }: { value: string }) {
  return <Badge tone={toneOf[value.toLowerCase()] ?? 'neutral'}>{value.replaceAll('_', ' ').toLowerCase()}</Badge>
}
