import { isPlainObject } from '../../lib/canonical-json.ts'
import { type Channel, channels } from '../../providers/provider.ts'
import type { Item } from '../from-novu/lists.ts'
import { textIn } from '../from-novu/names.ts'
import { type Source, SourceRefusal } from '../from-novu/source.ts'
import { eventOf, readWait, type WaitThere } from './event-of.ts'

/** What happened to one person by one trigger there, as far as their activity tells it. */
export type Activity = {
  transactionId: string
  createdAt: string
  workflowId: string
  subscriberId: string
  payload: Item
  /** Overrides, tenant and context. */
  event: Item
  topics: string[]
  steps: StepThere[]
  waits: WaitThere[]
  /** Types of steps that ran there and that are no message and no wait. */
  others: string[]
}

/** `open`: not over yet. `merged`: in the digest of another trigger. */
export type StepThere = { channel: Channel; became: 'sent' | 'not sent' | 'open' | 'merged'; why: string }

const pageSize = 50

/** The newest first, at most `last` of them, none from before `since`. */
export async function* recentActivities(
  source: Source,
  { last, since }: { last: number; since: Date | null },
): AsyncGenerator<Activity> {
  let left = last
  for (let page = 0; left > 0; page++) {
    const reply = await source.get('/v1/notifications', { page, limit: Math.min(pageSize, last) }).catch(explain)
    const { data, hasMore } = isPlainObject(reply) ? reply : { data: reply, hasMore: false }
    const items = Array.isArray(data) ? data.filter(isPlainObject) : []
    for (const item of items) {
      if (since && textIn(item.createdAt) !== '' && new Date(textIn(item.createdAt)) < since) return
      if (left-- <= 0) return
      yield readActivity(item)
    }
    if (hasMore !== true || items.length === 0) return
  }
}

function explain(error: unknown): never {
  if (error instanceof SourceRefusal && error.status === 404)
    throw new Error('The other service has no list of activity.')
  throw error
}

// The trigger itself, and what only counts.
const quietTypes = ['trigger', 'delay', 'digest', 'throttle']

export function readActivity(item: Item): Activity {
  const { template, subscriber, to, payload, jobs, topics } = item
  const [trigger] = isPlainObject(template) && Array.isArray(template.triggers) ? template.triggers : []
  const person = [subscriber, to].find((it) => isPlainObject(it) && textIn(it.subscriberId) !== '')
  const list = Array.isArray(jobs) ? jobs.filter(isPlainObject) : []
  return {
    transactionId: textIn(item.transactionId),
    createdAt: textIn(item.createdAt),
    workflowId: isPlainObject(trigger) ? textIn(trigger.identifier) : '',
    subscriberId: isPlainObject(person) ? textIn(person.subscriberId) : '',
    payload: isPlainObject(payload) ? withoutTheirs(payload) : {},
    topics: (Array.isArray(topics) ? topics.filter(isPlainObject) : []).map((it) => textIn(it.topicKey)),
    event: eventOf(item),
    steps: list.flatMap(readStep),
    waits: list.flatMap(readWait),
    others: list.flatMap((it) => (isOther(textIn(it.type)) ? [textIn(it.type)] : [])),
  }
}

function isOther(type: string): boolean {
  return type !== '' && !quietTypes.includes(type) && !channels.some((it) => it === type)
}

/** What the service adds to a payload for itself. */
function withoutTheirs(payload: Item): Item {
  return Object.fromEntries(Object.entries(payload).filter(([name]) => !name.startsWith('__')))
}

const isOpen = ['pending', 'queued', 'running', 'delayed']
// A step that was left out or that failed is "completed" in older versions; its details say so.
const saysNo =
  /filter|preference|skipped|condition|no active integration|not active|missing|throttl|turned off|not found|error|fail|invalid|exceed|limit/i
// That a message was made says nothing of whether it went out.
const saysYes = /message sent|\bsent\b|delivered/i

function readStep(job: Item): StepThere[] {
  const channel = channels.find((it) => it === job.type)
  if (!channel) return []
  const status = textIn(job.status)
  if (status === 'merged') return [{ channel, became: 'merged', why: '' }]
  if (isOpen.includes(status)) return [{ channel, became: 'open', why: status }]
  const details = Array.isArray(job.executionDetails) ? job.executionDetails.filter(isPlainObject) : []
  const no = details.filter((it) => it.status === 'Failed' || saysNo.test(textIn(it.detail))).at(-1)
  const hasGone = details.some((it) => saysYes.test(textIn(it.detail)) && !saysNo.test(textIn(it.detail)))
  if (status === 'completed' && (!no || hasGone)) return [{ channel, became: 'sent', why: '' }]
  return [{ channel, became: 'not sent', why: textIn((no ?? details.at(-1))?.detail) || status }]
}
