import { expect, test } from 'vitest'
import { unique } from '../../../test/fixture-makers.ts'
import { client, type Json, sender, useHarness } from '../../../test/harness.ts'
import {
  doneBy,
  mail,
  makePlaces,
  type Place,
  placeOf,
  saveLayout,
  saveWords,
  saveWorkflow,
} from '../../../test/publishing/places.ts'
import { rounds } from '../../../test/rounds.ts'

/** No event uses half a publication: its workflow, the layout around it and the words in it are of one. */
const h = useHarness({}, { worker: true })

const people = ['ada', 'bob', 'cyd']

/** Everything of it says its number. */
async function change(dev: Place, n: number): Promise<void> {
  await saveLayout(dev, 'brand', `<p>layout ${n}</p>{{content}}<p>{{t.foot}} {{t.foot}}</p>`, { isDefault: true })
  await saveWords(dev, 'layout', 'brand', 'en_US', { foot: `foot ${n}` })
  await saveWorkflow(dev, 'letter', [mail('mail', `<p>letter ${n} {{t.word}}</p>`)])
  await saveWords(dev, 'workflow', 'letter', 'en_US', { word: `word ${n}` })
  const digest = {
    stepId: 'digest',
    name: 'd',
    type: 'digest',
    controlValues: { type: 'regular', amount: 1, unit: 'seconds' },
  }
  await saveWorkflow(dev, 'gather', [digest, mail('mail', `<p>letter ${n} {{t.word}}</p>`)])
  await saveWords(dev, 'workflow', 'gather', 'en_US', { word: `word ${n}` })
  const bell = { stepId: 'bell', name: 'bell', type: 'in_app', controlValues: { body: `bell ${n} {{t.word}}` } }
  await saveWorkflow(dev, 'bell', [bell])
  await saveWords(dev, 'workflow', 'bell', 'en_US', { word: `word ${n}` })
}

type Shop = Awaited<ReturnType<typeof makePlaces>>

async function makeTarget(): Promise<Shop & { nodes: Place[] }> {
  const places = await makePlaces(h)
  const { env, dev, prod } = places
  await prod.post('/v1/integrations', { providerId: 'platform-email', channel: 'email', active: true })
  const subscribers = people.map((subscriberId) => ({ subscriberId, email: `${subscriberId}@example.com` }))
  await prod.post('/v1/subscribers/bulk', { subscribers })
  await change(dev, 0)
  doneBy(await places.publish())
  const second = await h.node()
  const there = { ...env, ...client(sender(second.url), env.key) }
  return { ...places, nodes: [prod, placeOf(there, prod.id)] }
}

/** Every way in, on one node, until it is told to stop. */
async function triggerUntil(node: Place, isOver: () => boolean): Promise<number> {
  let sent = 0
  const expectGood = (reply: Json) => expect(reply.status, reply.text).toBe(201)
  for (; !isOver(); sent++) {
    const transactionId = unique('event')
    switch (sent % 5) {
      case 0:
        expectGood(await node.post('/v1/events/trigger', { name: 'bell', to: 'ada', transactionId }))
        break
      case 1:
        expectGood(await node.post('/v1/events/trigger', { name: 'letter', to: people, transactionId }))
        break
      case 2:
        expectGood(await node.post('/v1/events/trigger', { name: 'gather', to: people, transactionId }))
        break
      case 3: {
        const names = ['bell', 'letter', 'bell', 'letter']
        const events = names.map((name, at) => ({ name, to: 'bob', transactionId: `${transactionId}/${at}` }))
        expectGood(await node.post('/v1/events/trigger/bulk', { events }))
        break
      }
      default:
        expectGood(await node.post('/v1/events/trigger/broadcast', { name: 'letter', transactionId }))
    }
  }
  return sent
}

/** A step as it would be sent right now, from the saved workflow. */
async function previewUntil(node: Place, isOver: () => boolean): Promise<string[]> {
  const shown: string[] = []
  while (!isOver()) {
    const reply = await node.post('/v2/workflows/letter/step/mail/preview', {})
    expect(reply.status, reply.text).toBe(201)
    shown.push(String(reply.body.result.preview.body))
  }
  return shown
}

async function readMessages(place: Place): Promise<{ call: string; content: string }[]> {
  const all: Json[] = []
  for (let page = 0; ; page++) {
    const { data, hasMore } = (await place.get(`/v1/messages?limit=1000&page=${page}`)).body
    all.push(...data)
    if (!hasMore) break
  }
  return all.map((it) => ({ call: it.transactionId.split('/')[0], content: it.content }))
}

const numbersIn = (text: string) => [
  ...new Set([...text.matchAll(/(?:layout|letter|foot|word|bell) (\d+)/g)].map(([, n]) => n)),
]

/** Publishes so often while events come in by every way, and counts what mixes two publications. */
async function run(times: number, publishAll: (shop: Shop) => Promise<void>) {
  const shop = await makeTarget()
  let isOver = false
  const previews = previewUntil(shop.prod, () => isOver)
  const triggers = shop.nodes.flatMap((node) => [triggerUntil(node, () => isOver), triggerUntil(node, () => isOver)])
  try {
    for (let n = 1; n <= times; n++) {
      await change(shop.dev, n)
      await publishAll(shop)
    }
  } finally {
    isOver = true
  }
  const sent = (await Promise.all(triggers)).reduce((sum, count) => sum + count, 0)
  const shown = await previews
  await h.settled()
  const messages = await readMessages(shop.prod)
  const byCall = Map.groupBy(messages, ({ call }) => call)
  const texts = [...byCall.values()].map((own) => own.map(({ content }) => content).join(' '))
  const mixed = [...texts, ...shown].filter((text) => numbersIn(text).length !== 1)
  const seen = new Set(texts.flatMap(numbersIn))
  console.log(
    `${sent} calls, ${messages.length} messages, ${shown.length} previews, of ${seen.size} publications; ${mixed.length} mixed`,
  )
  return { sent, messages, mixed, seen, shown }
}

test('fifty publications under load, two nodes: not one message, call or preview mixes two of them', async () => {
  const times = rounds({ quick: 4, full: 50 })
  const { sent, messages, mixed, seen, shown } = await run(times, async ({ publish }) => {
    expect(doneBy(await publish())).toHaveLength(8)
  })
  expect(mixed).toEqual([])
  expect(sent).toBeGreaterThan(100)
  expect(messages.length).toBeGreaterThan(sent)
  expect(shown.length).toBeGreaterThan(20)
  // Else nothing was published while events came in.
  expect(seen.size).toBeGreaterThan(times / 2)
}, 180_000)

test('published in two transactions, they mix: the test above can fail', async () => {
  const { mixed } = await run(rounds({ quick: 3, full: 10 }), async ({ publish }) => {
    doneBy(await publish({ resources: [{ resourceType: 'layout', resourceId: 'brand' }] }))
    doneBy(await publish())
  })
  expect(mixed.length).toBeGreaterThan(0)
}, 60_000)
