import { setTimeout as sleep } from 'node:timers/promises'
import { textAt } from '../../lib/json.ts'
import {
  allowing,
  emailWebhook,
  makeSender,
  type Sender,
  triggerEach,
  until,
  untilSettled,
} from '../../lib/outside-stage.ts'
import type { ApiNode, Role } from '../../lib/process.ts'
import { expectAtLeast, expectEqual, expectThat, shorten } from '../../lib/red.ts'
import { newEncryptionKey, type World } from '../../lib/world.ts'
import { readMessages } from '../../oracles/sending.ts'
import { openLedger } from '../../simulators/ledger.ts'
import { type HttpSimulator, startHttpSimulator } from '../../simulators/provider-simulator.ts'

type Stage = {
  world: World
  http: HttpSimulator
  oldKey: string
  newKey: string
  start(role: Role, ...keys: string[]): Promise<ApiNode>
  reseal(): Promise<{ code: number | null; output: string }>
}

/**
 * An API node and two workers send all the time while the encryption key changes: first in two wrong orders, which are
 * refused, then in the documented one. Every message is sent once, none fails, and none needs a second try.
 */
export async function rotationUnderLoad(world: World): Promise<string> {
  const ledger = openLedger()
  const http = await startHttpSimulator(ledger)
  const stage = openStage(world, http)
  const { oldKey, start } = stage
  const route = http.add({ name: 'mails', dedupes: true, script: () => ({ kind: 'ok', delayMs: 20 }) })
  const api = await start('api', oldKey)
  const workers = [await start('worker', oldKey), await start('worker', oldKey)]
  const sender = await makeSender(world, api.url, 'email', [emailWebhook(http.url(route))])
  const target = { api }
  const load = startLoad(target, sender)
  const second = http.add({ name: 'second', dedupes: true, script: () => ({ kind: 'ok' }) })
  let said: string[]
  let other: Sender
  try {
    await until(() => ledger.count('mails') > 5, 30_000, 'mails before the change')
    said = [await resealTooEarly(stage)]
    const onOne = await newKeyOnOneNode(stage, { target, workers, url: http.url(second) })
    other = onOne.sender
    await until(() => ledger.count('second') === 10, 60_000, 'mails of what the node with the new key first has sealed')
    said.push(onOne.refusal, await oldKeyRemovedTooEarly(stage))
    await documentedOrder(stage, target, workers)
  } finally {
    await load.stop()
  }
  await untilSettled(world, [sender, other], 60_000)
  await expectSentOnce(world, sender, load.names())
  expectEqual(ledger.read('mails').length, load.names().length, 'requests of the provider, one for each mail')
  expectAtLeast(load.names().length, world.small ? 40 : 100, 'mails while the key changed')
  for (const node of world.nodes)
    expectThat(!/ENCRYPTION_KEYS of this process lacks/.test(node.output()), node.output())
  return `${load.names().length} mails, each sent once at the first try, 0 failed. Refused: ${said.map((it) => `"${it}"`).join('; ')}`
}

function openStage(world: World, http: HttpSimulator): Stage {
  const [oldKey, newKey] = [newEncryptionKey('k1'), newEncryptionKey('k2')]
  const settings = (keys: string[]) => ({ ...allowing([http.port]), ENCRYPTION_KEYS: keys.join(',') })
  return {
    world,
    http,
    oldKey,
    newKey,
    start: (role, ...keys) => world.startNode(settings(keys), role),
    reseal: () => world.command(['secrets', 'reseal'], settings([newKey, oldKey]), 120_000),
  }
}

/** Wrong order 1: no node has the new key yet. */
async function resealTooEarly({ world, reseal }: Stage): Promise<string> {
  const refused = await reseal()
  expectEqual(refused.code, 1, `secrets reseal while no node has the new key: ${refused.output}`)
  expectThat(refused.output.includes('running nodes lack the key "k2"'), refused.output)
  for (const node of world.nodes)
    expectThat(refused.output.includes(`(pid ${node.pid}, holds k1,`), `node ${node.pid} in: ${refused.output}`)
  return lastSentence(refused.output)
}

/**
 * Wrong order 2: the new key is first on the API node, and the only worker lacks it. What is created there is sealed with
 * the old key all the same, so that the worker sends with it.
 */
async function newKeyOnOneNode(
  { world, oldKey, newKey, start, reseal }: Stage,
  { target, workers, url }: { target: { api: ApiNode }; workers: ApiNode[]; url: string },
): Promise<{ sender: Sender; refusal: string }> {
  await replace(target, await start('api', newKey, oldKey))
  await workers.pop()?.stop()
  const sender = await makeSender(world, target.api.url, 'email', [emailWebhook(url)])
  await expectSealedWith(world, sender, 'k1')
  await triggerEach(
    target.api.url,
    sender,
    Array.from({ length: 10 }, (_, n) => `second-${n}`),
  )
  const refused = await reseal()
  expectEqual(refused.code, 1, `secrets reseal while a worker lacks the new key: ${refused.output}`)
  const named = [...refused.output.matchAll(/pid (\d+)/g)].map(([, pid]) => Number(pid))
  expectEqual(named, [workers[0]?.pid], 'the nodes that lack the new key')
  return { sender, refusal: lastSentence(refused.output) }
}

/** The other half of wrong order 2: the old key is removed before everything is resealed. */
async function oldKeyRemovedTooEarly({ world, http, newKey }: Stage): Promise<string> {
  const settings = { ...allowing([http.port]), ENCRYPTION_KEYS: newKey, PORT: '0' }
  const refused = await world.command(['worker'], settings)
  expectEqual(refused.code, 1, `a worker without the old key: ${refused.output}`)
  const sentence = lastSentence(refused.output)
  expectThat(sentence.includes('key "k1", which ENCRYPTION_KEYS lacks'), refused.output)
  return sentence
}

/** The new key is added everywhere, everything is resealed, and the old key is removed everywhere. */
async function documentedOrder(
  { world, oldKey, newKey, start, reseal }: Stage,
  target: { api: ApiNode },
  workers: ApiNode[],
): Promise<void> {
  const roll = async (...keys: string[]) => {
    await replace(target, await start('api', ...keys))
    const old = workers.splice(0)
    workers.push(await start('worker', ...keys), await start('worker', ...keys))
    for (const worker of old) expectEqual(await worker.stop(), 'exit 0', 'how a worker ends')
  }
  await roll(oldKey, newKey)
  const resealed = await reseal()
  expectEqual(resealed.code, 0, `secrets reseal: ${resealed.output}`)
  expectThat(resealed.output.includes('No longer needed: k1.'), resealed.output)
  const rows = await world.sql<{ key: string }>(
    `select distinct split_part(f.value, '.', 2) as key from integration, jsonb_each_text(credentials) f`,
  )
  expectEqual(rows, [{ key: 'k2' }], 'the keys that seal integrations')
  if (!world.small) await roll(newKey)
  await sleep(500)
}

async function replace(target: { api: ApiNode }, fresh: ApiNode): Promise<void> {
  const old = target.api
  target.api = fresh
  // A request that was begun is answered before the node ends.
  expectEqual(await old.stop(), 'exit 0', 'how an API node ends')
}

function startLoad(target: { api: ApiNode }, sender: Sender) {
  const names: string[] = []
  let isOn = true
  const run = async () => {
    for (let n = 0; isOn; n++) {
      const acknowledged = await triggerEach(target.api.url, sender, [`mail-${n}`])
      names.push(...acknowledged.map(({ about }) => about))
      await sleep(200)
    }
  }
  const running = run()
  running.catch(() => {})
  return {
    names: () => names,
    async stop() {
      isOn = false
      await running
    },
  }
}

async function expectSealedWith(world: World, { tenant }: Sender, keyId: string): Promise<void> {
  const rows = await world.sql<{ key: string }>(
    `select distinct split_part(f.value, '.', 2) as key from integration, jsonb_each_text(credentials) f
     where environment_id = $1`,
    [tenant.environmentId],
  )
  expectEqual(rows, [{ key: keyId }], 'the key that sealed a new integration')
}

async function expectSentOnce(world: World, sender: Sender, names: readonly string[]): Promise<void> {
  const messages = await readMessages(world, sender)
  expectEqual(messages.map(({ about }) => about).toSorted(), names.toSorted(), 'messages of the events')
  const odd = messages.filter(({ delivery, attempts }) => delivery !== 'sent' || attempts !== 1)
  expectEqual(odd.slice(0, 3), [], 'messages that were not sent at the first try')
}

/** Returns the sentence that a command ended with. A service prints it as a line of its log. */
function lastSentence(output: string): string {
  const line = output.trim().split('\n').at(-1) ?? ''
  return shorten(line.startsWith('{') ? textAt(JSON.parse(line), 'msg') : line, 400)
}
