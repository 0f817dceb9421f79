import { isPlainObject } from '../../lib/canonical-json.ts'
import { address } from '../from-novu/address.ts'
import { carryLayout } from '../from-novu/carry-layout.ts'
import { type Carried, carryWorkflow, whyInCode } from '../from-novu/carry-workflow.ts'
import { type Item, listAll } from '../from-novu/lists.ts'
import { textIn } from '../from-novu/names.ts'
import { type Planned, saveContent } from './content.ts'
import { keepWorkflows } from './keep-workflows.ts'
import { finishKind, leaveRefused, note, type Run } from './run.ts'
import { tryRead } from './try-read.ts'

type Kind = 'layouts' | 'workflows' | 'translations'

/** What people have written: layouts, then the workflows that name them, then the words of both. */
export async function importWording(run: Run): Promise<void> {
  const planned: Planned = new Map()
  await importKind(run, 'layouts', () => carryLayouts(run), planned)
  await importKind(run, 'workflows', () => carryWorkflows(run), planned)
  await importKind(run, 'translations', () => carryTranslations(run), planned)
}

async function importKind(run: Run, kind: Kind, read: () => AsyncIterable<Carried[]>, planned: Planned): Promise<void> {
  const state = run.state.kind(kind)
  if (!run.wants(kind) || state.done) return
  try {
    for await (const carried of read()) {
      state.counts.there += carried.length
      await saveContent(run, kind, carried, planned)
      for (const { name } of carried) run.samples.offer(kind, name)
    }
    finishKind(run, kind)
  } catch (error) {
    leaveRefused(run, kind, error)
  }
}

/** One thing by itself. Null: it is listed why it could not be read. */
async function readOne(run: Run, kind: Kind, name: string, load: () => Promise<unknown>): Promise<Item | null> {
  const read = await tryRead(run, '', load)
  if ('found' in read && isPlainObject(read.found)) return read.found
  const left = 'left' in read ? read.left : { why: 'is in the list there, and nowhere else', isUnread: true }
  run.state.kind(kind).counts.there += 1
  note(run, kind, { name, outcome: 'failed', left: [left] })
  return null
}

async function* carryLayouts(run: Run): AsyncGenerator<Carried[]> {
  const { source } = run
  const layouts = await listAll(source, '/v2/layouts', (it) => textIn(it.layoutId))
  for (const summary of layouts) {
    const id = textIn(summary.layoutId)
    const whole = isPlainObject(summary.controls)
      ? summary
      : await readOne(run, 'layouts', id, () => source.find(address`/v2/layouts/${id}`))
    if (whole) yield [carryLayout(whole)]
  }
}

/** Each is asked for by itself: the list has no steps. */
async function* carryWorkflows(run: Run): AsyncGenerator<Carried[]> {
  const all = await listAll(run.source, '/v2/workflows', (it) => textIn(it.workflowId))
  for (let at = 0; at < all.length; at += 20) {
    const some = all.slice(at, at + 20)
    const whole = await Promise.all(
      some.map(({ workflowId }) =>
        readOne(run, 'workflows', textIn(workflowId), () => run.source.find(address`/v2/workflows/${workflowId}`)),
      ),
    )
    const own = whole.filter(isPlainObject)
    for (const it of own) {
      const why = whyInCode(it)
      if (why !== null) leaveOne(run, 'workflows', textIn(it.workflowId), why)
    }
    yield keepWorkflows(run, own.filter((it) => whyInCode(it) === null).map(carryWorkflow))
  }
}

function leaveOne(run: Run, kind: Kind, name: string, why: string): void {
  run.state.kind(kind).counts.there += 1
  note(run, kind, { name, outcome: 'failed', left: [{ why }] })
}

const owners = [
  ['workflow', '/v2/workflows', 'workflowId'],
  ['layout', '/v2/layouts', 'layoutId'],
] as const

/** There is no list of languages: each owner says its own, and then one call has all words of a language. */
async function* carryTranslations(run: Run): AsyncGenerator<Carried[]> {
  const { source } = run
  const locales = new Set<string>()
  for (const [type, path, idName] of owners) {
    const all = await listAll(source, path, (it) => textIn(it[idName]))
    const groups = await Promise.all(
      all.map((it) => readLocales(run, `${type} ${textIn(it[idName])}`, `/v2/translations/group/${type}`, it[idName])),
    )
    for (const locale of groups.flat()) locales.add(locale)
  }
  for (const locale of locales) {
    const words = await readOne(run, 'translations', locale, () =>
      source.get('/v2/translations/master-json', { locale }),
    )
    if (words) yield owners.flatMap(([type]) => carryWords(type, locale, words[`${type}s`]))
  }
}

/** Most have no words of their own: no such group is no fault. */
async function readLocales(run: Run, name: string, path: string, id: unknown): Promise<string[]> {
  const read = await tryRead(run, '', () => run.source.find(path + address`/${id}`))
  if ('left' in read) note(run, 'translations', { name, left: [read.left] })
  const locales = 'found' in read && isPlainObject(read.found) ? read.found.locales : []
  return (Array.isArray(locales) ? locales : []).map(textIn)
}

function carryWords(resourceType: string, locale: string, byOwner: unknown): Carried[] {
  return Object.entries(isPlainObject(byOwner) ? byOwner : {}).map(([resourceId, content]) => ({
    name: `${resourceType} ${resourceId} ${locale}`,
    entry: { resourceType, resourceId, locale, content },
    left: [],
  }))
}
