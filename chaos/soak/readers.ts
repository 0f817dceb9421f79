import { setTimeout as sleep } from 'node:timers/promises'
import { at, listAt } from '../lib/json.ts'
import { times } from '../lib/parallel.ts'
import { type Random, seededRandom } from '../lib/random.ts'
import { shorten } from '../lib/red.ts'
import { type Stage, sendUntilAnswered } from './calls.ts'
import { nameOf, person, spareWorkflow, topicSize } from './kinds.ts'

const readers = 2
const mostPauseMs = 400

/** Those who look at feeds and at what happened, and who change their minds about what they want to hear. */
export async function startReaders(stage: Stage, isOver: () => boolean): Promise<void> {
  const lanes = times(readers, async (place) => {
    const random = seededRandom(stage.random.integer(0, 2 ** 31))
    while (!isOver()) {
      if (random.chance(0.2)) await changeMind(stage, random, place)
      else await read(stage, random)
      await sleep(random.integer(0, mostPauseMs))
    }
  })
  await Promise.all(lanes)
}

async function read(stage: Stage, random: Random): Promise<void> {
  const who = person(random.integer(0, topicSize - 1))
  const [place, path] = random.pick([
    ['inbox', `/v1/subscribers/${who}/notifications/feed?limit=20`],
    ['inbox', `/v1/subscribers/${who}/notifications/unseen`],
    ['inbox', '/v1/notifications?limit=20'],
    ['inbox', `/v1/notifications?transactionId=${nameOf('inbox', random.integer(0, stage.book.next.inbox))}`],
    ['mail', '/v1/messages?limit=20'],
    ['text', '/v1/notifications?limit=20'],
  ] as const)
  const reply = await sendUntilAnswered(stage, random, ['GET', path, { key: stage.tenants[place].key }], false)
  stage.book.reads++
  if (reply && reply.status !== 200)
    stage.book.faults.add(`GET ${path}: ${reply.from} answered ${reply.status} ${shorten(reply.text)}`)
}

/** What was answered is what the next one reads, from whatever node. Nobody else changes this person's. */
async function changeMind(stage: Stage, random: Random, place: number): Promise<void> {
  const path = `/v2/subscribers/${person(place)}/preferences`
  const wanted = random.chance(0.5)
  const key = stage.tenants.inbox.key
  const body = { workflowId: spareWorkflow, channels: { in_app: wanted } }
  const changed = await sendUntilAnswered(stage, random, ['PATCH', path, { key, body }], false)
  const shown = await sendUntilAnswered(stage, random, ['GET', path, { key }], false)
  if (!changed || !shown) return
  stage.book.preferences++
  const own = listAt(shown.body, 'workflows').find((it) => at(it, 'workflow', 'identifier') === spareWorkflow)
  if (changed.status === 200 && shown.status === 200 && at(own, 'channels', 'in_app') === wanted) return
  stage.book.faults.add(
    `${path}: ${changed.from} set ${wanted} (${changed.status}), ${shown.from} shows ${shorten(JSON.stringify(own) ?? shown.text)}`,
  )
}
