import type { Job, SentMessage } from '../../api/types.ts'
import { channelName } from '../../lib/channels.ts'
import { fullTime } from '../../ui/time.tsx'
import { isChannel, withLocalTimes } from '../activity/steps.ts'

/** What became of a step in one sentence, and the words of whoever stood in its way. */
export function storyOf(job: Job, messages: readonly SentMessage[]): { text: string; words?: string } {
  const last = job.executionDetails.at(-1)
  const said = last ? withLocalTimes(last.detail) : ''
  const stuck = messages.find(({ errorText, delivery }) => errorText && delivery !== 'sent')
  const words = stuck?.errorText ? withLocalTimes(stuck.errorText) : undefined
  switch (job.status) {
    case 'completed':
      return isChannel(job.type) ? sentStory(job, messages) : { text: said }
    case 'failed':
      return failedStory(said, messages, words ?? last?.raw)
    case 'queued':
      return queuedStory(messages, words)
    case 'pending':
      return { text: said || 'Waits for the steps before it.' }
    case 'canceled':
      // A cancel by request leaves no line of its own: the last one is from before.
      return { text: last?.status === 'Warning' ? said : 'Canceled before it was done.' }
    default:
      return { text: said }
  }
}

function sentStory(job: Job, messages: readonly SentMessage[]): { text: string; words?: string } {
  if (job.type === 'in_app') return { text: 'In the feed of the subscriber.' }
  const to = [...new Set(messages.flatMap((message) => message.to ?? []))]
  const by = messages.find((message) => message.providerId)?.providerId
  const text = `Sent${to.length > 0 && to.length <= 3 ? ` to ${to.join(', ')}` : ''}${by ? ` by ${by}` : ''}.`
  const doubt = messages.find(({ errorText }) => errorText)?.errorText
  return doubt ? { text, words: doubt } : { text }
}

function failedStory(said: string, messages: readonly SentMessage[], words: string | undefined) {
  const dead = messages.find(({ delivery }) => delivery === 'dead')
  const rejected = messages.find(({ delivery }) => delivery === 'rejected')
  const tries = (dead ?? rejected)?.attempts.length ?? 0
  const after = `${tries} ${tries === 1 ? 'try' : 'tries'}`
  const text = dead
    ? `Given up after ${after}. It can be redriven.`
    : rejected
      ? `Refused for good after ${after}.`
      : said
  return words && words !== text ? { text, words } : { text }
}

function queuedStory(messages: readonly SentMessage[], words: string | undefined) {
  const waiting = messages.find(({ nextTryAt }) => nextTryAt)
  const tried = waiting && waiting.attempts.length > 0
  const channel = messages[0] ? channelName(messages[0].channel) : 'Message'
  const again = waiting?.nextTryAt ? fullTime(waiting.nextTryAt) : ''
  const text = tried ? `${channel} is tried again, next at ${again}.` : `${channel} is on its way to the provider.`
  return tried && words ? { text, words } : { text }
}
