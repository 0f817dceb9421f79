import type { WebhookDelivery } from '../../api/types.ts'
import type { Tone } from '../../ui/badge.tsx'

export type Try = WebhookDelivery['tries'][number]

/** How long it took; empty where nobody recorded its end. */
export function tookWords({ startedAt, endedAt }: Pick<Try, 'startedAt' | 'endedAt'>): string {
  if (!endedAt) return ''
  const ms = Date.parse(endedAt) - Date.parse(startedAt)
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`
}

export const outcomeTones: Record<Try['outcome'], Tone> = {
  delivered: 'ok',
  failed: 'bad',
  paced: 'info',
  unknown: 'warn',
}
export const outcomeWords: Record<Try['outcome'], string> = {
  delivered: 'delivered',
  failed: 'failed',
  paced: 'asked to wait',
  unknown: 'end not recorded',
}

/** The last answer, in short. */
export function answerWords({ tries }: Pick<WebhookDelivery, 'tries'>): string {
  const last = tries.at(-1)
  if (!last) return 'Not tried yet'
  const took = tookWords(last)
  const said = last.status === null ? (last.reply ?? outcomeWords[last.outcome]) : `Answered ${last.status}`
  return took ? `${said} · ${took}` : said
}

export type Verdict = { tone: 'ok' | 'warn' | 'bad' | 'wait'; title: string }

/** What has become of one event so far. */
export function verdictOf({ status, tries }: Pick<WebhookDelivery, 'status' | 'tries'>): Verdict {
  const last = tries.at(-1)
  if (status === 'delivered') return { tone: 'ok', title: `It arrived: ${answerWords({ tries })}` }
  if (status === 'failed') return { tone: 'bad', title: `Given up: ${answerWords({ tries })}` }
  if (!last) return { tone: 'wait', title: 'On its way' }
  if (last.outcome === 'delivered') return { tone: 'wait', title: 'It is sent again' }
  if (last.outcome === 'paced') return { tone: 'warn', title: 'The endpoint asked us to wait' }
  return { tone: 'warn', title: `It did not arrive: ${answerWords({ tries })}` }
}
