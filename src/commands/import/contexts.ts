import { canonicalJson, isPlainObject } from '../../lib/canonical-json.ts'
import { chunks } from '../../lib/chunks.ts'
import { address, NoAddress } from '../from-novu/address.ts'
import type { Item } from '../from-novu/lists.ts'
import { textIn } from '../from-novu/names.ts'
import { leaveKind, type Noted, type Run, streamKind } from './run.ts'
import { TargetRefusal } from './target.ts'

// A list that comes whole is as long as it likes.
const atATime = 100

/** One sort of thing that has no bulk route: there are few of them. */
type Sort = {
  kind: string
  path: string
  nameOf(item: Item): string
  /** Of one of them here. */
  pathOf(item: Item): string
  /** What is carried, in the shape of a body. */
  carry(item: Item): { id: Item; fields: Item }
}

const contexts: Sort = {
  kind: 'contexts',
  path: '/v2/contexts',
  nameOf: ({ type, id }) => `${textIn(type)}:${textIn(id)}`,
  pathOf: ({ type, id }) => address`/v2/contexts/${type}/${id}`,
  carry: ({ type, id, data }) => ({ id: { type, id }, fields: { data: isPlainObject(data) ? data : {} } }),
}

const tenants: Sort = {
  kind: 'tenants',
  path: '/v1/tenants',
  nameOf: ({ identifier }) => textIn(identifier),
  pathOf: ({ identifier }) => address`/v1/tenants/${identifier}`,
  carry: ({ identifier, name, data }) => ({
    id: { identifier },
    fields: { name: textIn(name) || null, data: isPlainObject(data) ? data : null },
  }),
}

/** What events are about: contexts, and the tenants of older versions. */
export async function importContexts(run: Run): Promise<void> {
  for (const sort of [contexts, tenants]) {
    if (run.state.kind(sort.kind).done) continue
    if ((await run.target.find(`${sort.path}?limit=1`)) === null)
      leaveKind(run, sort.kind, `there are no ${sort.kind} here`)
    else await importSort(run, sort)
  }
}

async function importSort(run: Run, sort: Sort): Promise<void> {
  await streamKind(run, { kind: sort.kind, path: sort.path }, async (items) => {
    let noted: Noted[] = []
    for (const some of chunks(items, atATime))
      noted = noted.concat(await Promise.all(some.map((it) => importOne(run, sort, it))))
    return [{ kind: sort.kind, noted }]
  })
}

async function importOne({ mode, target }: Run, sort: Sort, given: Item): Promise<Noted> {
  const name = sort.nameOf(given)
  const { id, fields } = sort.carry(given)
  try {
    const here = await target.find(sort.pathOf(given))
    const changes = Object.entries(fields).flatMap(([field, value]) =>
      canonicalJson(here?.[field] ?? null) === canonicalJson(value) ? [] : field,
    )
    if (here && changes.length === 0) return { name, outcome: 'unchanged' }
    if (mode === 'import') {
      if (here) await target.call('PATCH', sort.pathOf(given), fields)
      else await target.call('POST', sort.path, { ...id, ...fields })
    }
    return { name, outcome: here ? 'updated' : 'created', changes }
  } catch (error) {
    if (error instanceof TargetRefusal || error instanceof NoAddress)
      return { name, outcome: 'failed', left: [{ why: error.message }] }
    throw error
  }
}
