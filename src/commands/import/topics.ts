import { chunks } from '../../lib/chunks.ts'
import { address } from '../from-novu/address.ts'
import { type CarriedMember, carryMember } from '../from-novu/carry-member.ts'
import { type Item, listSteady } from '../from-novu/lists.ts'
import { textIn } from '../from-novu/names.ts'
import { unknownFields } from '../from-novu/unknown-fields.ts'
import { bisect } from './bisect.ts'
import { resultsIn, toNoted } from './imported.ts'
import { type Left, type Noted, type Run, streamKind } from './run.ts'
import { tryRead } from './try-read.ts'

// What is read again after a crash; a topic may have millions of members.
const topicsPerPage = 20
const membersPerCall = 500

export async function importTopics(run: Run): Promise<void> {
  const { source, target } = run
  const asks = run.wants('choices-of-subscriptions')
  const list = { kind: 'topics', path: '/v2/topics', query: { limit: topicsPerPage } }
  await streamKind(run, list, async (items) => {
    const topics = items.map(({ key, name }) => ({ key: textIn(key), ...(textIn(name) !== '' && { name }) }))
    const results = await bisect(topics, send, ({ key }, why) => ({ key, action: 'failed', left: [{ why }] }))
    const noted = results.map((result, at) => {
      const it = toNoted(result, topics[at]?.key ?? '')
      return { ...it, left: [...unknownFields(items[at] ?? {}, ['key', 'name']), ...(it.left ?? [])] }
    })
    for (const { name, outcome } of noted) if (outcome !== 'failed') run.samples.offer('topics', name)
    const known = new Set(noted.flatMap(({ name, outcome }) => (outcome === 'failed' ? [] : name)))
    const sender = createSender(sendMembers)
    const unread = new Map<string, Left>()
    for (const { key } of topics) {
      if (!known.has(key)) continue
      const read = await tryRead(run, 'members', () => readMembers(key, sender.add))
      if ('left' in read) unread.set(key, read.left)
    }
    const members = await sender.end()
    return [
      { kind: 'topics', noted: noted.map((it) => withLeft(it, unread.get(it.name))) },
      { kind: 'members', noted: members },
    ]
  })

  async function readMembers(key: string, add: (members: CarriedMember[]) => Promise<void>): Promise<void> {
    for await (const page of listSteady(source, address`/v2/topics/${key}/subscriptions`)) {
      for (const some of chunks(page.items, membersPerCall)) {
        await add(
          (await Promise.all(some.map((it) => carryMember((ref) => readDetail(key, ref), key, it, asks)))).flat(),
        )
      }
    }
  }

  function readDetail(key: string, ref: string) {
    const path = () => address`/v2/topics/${key}/subscriptions/${ref}`
    return tryRead(run, 'preferences', () => source.find(path()))
  }

  async function send(topics: readonly Item[]): Promise<unknown[]> {
    const reply = await target.call('POST', '/v1/import/topics', { dryRun: run.mode !== 'import', topics })
    return resultsIn(reply, 'topics', topics.length)
  }

  async function sendMembers(members: readonly CarriedMember[]): Promise<Noted[]> {
    const results = await bisect(
      members.map(({ member }) => member),
      async (some) => {
        const topics = [...Map.groupBy(some, (it) => it.topicKey)].map(([key, own]) => ({
          key,
          members: own.map(({ topicKey: _key, ...member }) => member),
        }))
        const results = await send(topics)
        return topics.flatMap((it, at) => resultsIn(Object(results[at]), 'members', it.members.length))
      },
      (_member, why) => ({ action: 'failed', left: [{ why }] }),
    )
    return results.map((result, at) => {
      const { member, left = [] } = members[at] ?? {}
      const own = toNoted(result, `${member?.subscriberId} in ${member?.topicKey}`)
      const noted = { ...own, left: [...left, ...(own.left ?? [])] }
      // Who is left out of the subscribers is told there; a plan has none of them here yet.
      return run.mode === 'plan' && run.wants('subscribers') && isUnknownPerson(noted)
        ? { ...noted, outcome: 'created' as const, left }
        : noted
    })
  }
}

/** A call has as many members as it may, of whichever topics. */
function createSender(send: (members: readonly CarriedMember[]) => Promise<Noted[]>) {
  let [waiting, sent]: [CarriedMember[], Noted[]] = [[], []]
  return {
    async add(members: CarriedMember[]): Promise<void> {
      waiting = waiting.concat(members)
      while (waiting.length >= membersPerCall) sent = sent.concat(await send(waiting.splice(0, membersPerCall)))
    },
    end: async () => sent.concat(await send(waiting)),
  }
}

function withLeft(noted: Noted, left: Left | undefined): Noted {
  return left ? { ...noted, left: [...(noted.left ?? []), left] } : noted
}

function isUnknownPerson({ left = [] }: Noted): boolean {
  return left.some(({ why }) => why === 'there is no such subscriber here')
}
