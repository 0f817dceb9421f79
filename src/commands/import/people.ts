import { isPlainObject } from '../../lib/canonical-json.ts'
import { chunks } from '../../lib/chunks.ts'
import { address } from '../from-novu/address.ts'
import { type CarriedPerson, carryPerson } from '../from-novu/carry-person.ts'
import { type DefaultsOf, type Holds, loadDefaults, otherHere, readChoices } from '../from-novu/choices.ts'
import type { Item } from '../from-novu/lists.ts'
import { textIn } from '../from-novu/names.ts'
import { bisect } from './bisect.ts'
import { resultsIn, toNoted } from './imported.ts'
import { type Left, type Noted, note, type Run, streamKind } from './run.ts'
import { tryRead } from './try-read.ts'

// A list that comes whole is as long as it likes.
const peoplePerCall = 100

type Chosen = { chosen: Item; holds: Holds; unread: Left[] }
const nothing: Holds = new Map()
const noChoices: Chosen = { chosen: {}, holds: nothing, unread: [] }

/** People, and with them what they chose: one more call for each of them, because no list has it. */
export async function importPeople(run: Run): Promise<void> {
  const { source, target } = run
  const takesPeople = run.wants('subscribers')
  if (run.state.kind('subscribers').done) return
  const defaults = run.wants('preferences') ? await readDefaults(run) : null
  const withChannels = createChannelReader(run)

  await streamKind(run, { kind: 'subscribers', path: '/v2/subscribers' }, async (items) => {
    let noted: Noted[] = []
    for (const some of chunks(items, peoplePerCall)) noted = noted.concat(await importSome(some))
    return [{ kind: 'subscribers', noted }]
  })

  async function importSome(items: readonly Item[]): Promise<Noted[]> {
    const own = items.filter((it) => whyNobody(it) === null)
    const nobodies = items.flatMap((it) => toNobody(it) ?? [])
    const all = await Promise.all(own.map(carry))
    const carried = all.filter((it) => !hasOtherId(it.person))
    const results = await bisect(
      carried.map(({ person }) => person),
      (some) => send(some),
      ({ subscriberId }, why) => ({ subscriberId, action: 'failed', left: [{ field: '', why }] }),
    )
    const noted = results.map((result, at): Noted => {
      const { person, holds = nothing, left = [] } = carried[at] ?? {}
      const it = toNoted(result, String(person?.subscriberId))
      const told = (it.left ?? []).filter((one) => isTold(run, one.why))
      return { ...it, left: [...left, ...told, ...otherHere(holds, isPlainObject(result) ? result.chosen : null)] }
    })
    for (const { name } of noted) run.samples.offer('subscribers', name)
    const others = all.flatMap(({ person }) => (hasOtherId(person) ? [person.subscriberId] : []))
    const failed = others.map((name): Noted => ({ name, outcome: 'failed', left: [{ why: whyOtherId }] }))
    return [...noted, ...nobodies, ...failed]
  }

  async function carry(item: Item): Promise<{ person: CarriedPerson; holds: Holds; left: Left[] }> {
    const id = { subscriberId: String(item.subscriberId) }
    const whole = takesPeople ? await tryRead(run, 'channels', () => withChannels(item)) : null
    const read = whole && 'found' in whole ? whole.found : item
    const { person, left }: { person: CarriedPerson; left: Left[] } = takesPeople
      ? carryPerson(read)
      : { person: id, left: [] }
    const lost = whole && 'left' in whole ? [whole.left] : []
    const { chosen, holds, unread } = defaults ? await readChosen(item, defaults) : noChoices
    return { person: { ...person, ...chosen }, holds, left: [...left, ...lost, ...unread] }
  }

  async function readChosen(item: Item, defaultsOf: DefaultsOf): Promise<Chosen> {
    const read = await tryRead(run, 'preferences', () => source.find(pathOf(item, '/preferences')))
    if ('left' in read) return { ...noChoices, unread: [read.left] }
    const found = readChoices(read.found, defaultsOf)
    const unread = { field: 'preferences', why: 'the other service does not say what they chose', isUnread: true }
    return found ? { ...found, unread: [] } : { ...noChoices, unread: [unread] }
  }

  async function send(subscribers: readonly CarriedPerson[]): Promise<unknown[]> {
    const reply = await target.call('POST', '/v1/import/subscribers', { dryRun: run.mode !== 'import', subscribers })
    return resultsIn(reply, 'subscribers', subscribers.length)
  }
}

const whyOtherId = 'its id begins or ends with spaces: here it would be that of somebody else'

/** Here ids have no spaces at their ends. Two people would become one. */
export function hasOtherId({ subscriberId }: { subscriberId: string }): boolean {
  return subscriberId.trim() !== subscriberId
}

/** What holds for who chose nothing. Null: nobody can say, so no choice can be told from it. */
async function readDefaults(run: Run): Promise<DefaultsOf | null> {
  const read = await tryRead(run, 'preferences', () =>
    loadDefaults(run.source, async (workflowId, load) => {
      const one = await tryRead(run, `preferences of ${workflowId}`, load)
      if ('found' in one) return one.found
      leave(one.left)
      return undefined
    }),
  )
  if ('found' in read) return read.found
  leave(read.left)
  return null

  function leave(left: Left): void {
    note(run, 'subscribers', { name: 'everybody', left: [left] })
  }
}

function whyNobody({ deleted, subscriberId }: Item): string | null {
  if (deleted === true) return 'is deleted there'
  return textIn(subscriberId) === '' ? 'has no subscriberId' : null
}

function toNobody(item: Item): Noted | null {
  const why = whyNobody(item)
  return why === null
    ? null
    : { name: textIn(item.subscriberId) || textIn(item._id), outcome: 'failed', left: [{ why }] }
}

/** Before the workflows and integrations are imported, nobody's choice or channel finds them. */
function isTold(run: Run, why: string): boolean {
  if (run.mode !== 'plan') return true
  if (run.wants('workflows') && why.startsWith('there is no workflow ')) return false
  return !run.wants('integrations') || !/^there is no (integration|place) /.test(why)
}

const mostProbes = 20

/**
 * Lists of some versions leave the channels of people out. Where an entry has none, some people are read one by one; if
 * any of them has channels then, everybody is.
 */
function createChannelReader({ source }: Run): (item: Item) => Promise<Item> {
  let [probes, listLacksThem] = [0, false]
  return async (item) => {
    if (Array.isArray(item.channels) || (probes >= mostProbes && !listLacksThem)) return item
    probes += 1
    const whole = await source.find(pathOf(item))
    if (!isPlainObject(whole)) return item
    if (Array.isArray(whole.channels) && whole.channels.length > 0) listLacksThem = true
    return { ...item, ...(whole.channels !== undefined && { channels: whole.channels }) }
  }
}

function pathOf({ subscriberId }: Item, rest: '' | '/preferences' = ''): string {
  return address`/v2/subscribers/${subscriberId}` + rest
}
