import type { Job } from '../../api/types.ts'
import { channelIcon, channelName, channels } from '../../lib/channels.ts'
import type { Tone } from '../../ui/badge.tsx'
import type { IconName } from '../../ui/icon.tsx'
import { fullTime } from '../../ui/time.tsx'

const waits: Record<string, { name: string; icon: IconName }> = {
  delay: { name: 'Delay', icon: 'clock' },
  digest: { name: 'Digest', icon: 'filter' },
  throttle: { name: 'Throttle', icon: 'block' },
  custom: { name: 'Code', icon: 'braces' },
}

export const stepTypeName = (type: string) => waits[type]?.name ?? channelName(type)
export const stepIcon = (type: string): IconName => waits[type]?.icon ?? channelIcon(type)
export const isChannel = (type: string) => channels.some((channel) => channel === type)

const tones: Record<string, Tone> = { completed: 'ok', failed: 'bad', queued: 'info', running: 'info', delayed: 'info' }
export const toneOfJob = (status: string): Tone => tones[status] ?? 'neutral'

/** One word for all steps of one person: the worst of them, then what is still to come. */
export function overallOf(jobs: readonly Pick<Job, 'status' | 'type'>[]): { word: string; tone: Tone } {
  const has = (...words: string[]) => jobs.some(({ status }) => words.includes(status))
  const reached = jobs.some(({ status, type }) => status === 'completed' && isChannel(type))
  if (has('failed')) return { word: reached ? 'partly failed' : 'failed', tone: 'bad' }
  if (has('queued', 'running')) return { word: 'sending', tone: 'info' }
  if (has('delayed', 'pending')) return { word: 'waiting', tone: 'info' }
  if (reached) return has('canceled') ? { word: 'partly canceled', tone: 'neutral' } : { word: 'completed', tone: 'ok' }
  if (has('merged')) return { word: 'merged', tone: 'neutral' }
  if (has('canceled')) return { word: 'canceled', tone: 'neutral' }
  if (has('skipped')) return { word: 'skipped', tone: 'neutral' }
  return { word: jobs.length > 0 ? 'completed' : 'no steps', tone: 'neutral' }
}

const isoTime = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g
/** The server writes times as machines do; people get them in their own zone. */
export const withLocalTimes = (text: string) => text.replaceAll(isoTime, (at) => fullTime(at))

type Person = { subscriberId: string; firstName?: string | null; lastName?: string | null }
export function personName(person: Person | undefined): string {
  if (!person) return 'Deleted subscriber'
  return [person.firstName, person.lastName].filter(Boolean).join(' ') || person.subscriberId
}
