import { canonicalJson, isPlainObject } from '../../lib/canonical-json.ts'
import { sha256 } from '../../lib/seal.ts'
import { address } from '../from-novu/address.ts'
import { cut } from '../from-novu/carry-workflow.ts'
import { type Item, listWhole } from '../from-novu/lists.ts'
import { ourName, textIn } from '../from-novu/names.ts'
import { unknownFields } from '../from-novu/unknown-fields.ts'
import { commit, finishKind, leaveRefused, type Noted, note, type Run } from './run.ts'
import { TargetRefusal } from './target.ts'

/** Accounts at providers, without their secrets: they arrive switched off, and somebody completes them. */
export async function importIntegrations(run: Run): Promise<void> {
  const state = run.state.kind('integrations')
  if (state.done) return
  try {
    const listed = await listWhole(run.source, '/v1/integrations')
    const ours = listIn(await run.target.call('GET', '/v1/integrations'))
    const providers = listIn(await run.target.call('GET', '/v1/providers'))
    for (const given of listed) {
      if (given.deleted === true) continue
      state.counts.there += 1
      note(run, 'integrations', await importOne(run, given, ours, providers))
      commit(run)
    }
    finishKind(run, 'integrations')
  } catch (error) {
    leaveRefused(run, 'integrations', error)
  }
}

function listIn(value: unknown): Item[] {
  const list = isPlainObject(value) ? value.data : value
  return Array.isArray(list) ? list.filter(isPlainObject) : []
}

async function importOne(run: Run, given: Item, ours: readonly Item[], providers: readonly Item[]): Promise<Noted> {
  const name = textIn(given.identifier) || textIn(given.name)
  const refuse = (why: string): Noted => ({ name, outcome: 'failed', left: [{ why }] })
  const providerId = ourName(given.providerId)
  const provider = providers.find((it) => ourName(it.providerId) === providerId)
  if (given.kind === 'agent') return refuse('there are no agents here')
  if (!provider) return refuse(`the provider "${textIn(providerId).slice(0, 50)}" is not known here`)
  const identifier = identifierOf(given, providerId)
  const same = ours.find((it) => it.identifier === identifier)
  if (same && ourName(same.providerId) !== providerId) return refuse('its identifier is that of another provider here')
  const left = [...unknownFields(given, known), ...otherHere(given, same)]
  const fields = {
    name: cut(textIn(given.name) || textIn(provider.displayName), 255, 'name', left),
    ...(Array.isArray(given.conditions) && given.conditions.length > 0 && { conditions: given.conditions }),
  }
  const changes = same ? changesOf(same, fields) : ['integration']
  const asks = Array.isArray(provider.credentials) && provider.credentials.some((it) => Object(it).required === true)
  const body = { ...fields, providerId, channel: provider.channel, identifier }
  // What needs no credentials is complete.
  const active = !asks && given.active === true
  try {
    const saved =
      run.mode === 'import' && changes.length > 0 ? await save(run, same, { ...body, active }, fields) : same
    if (asks && saved?.active !== true) complete(run, name, saved)
  } catch (error) {
    if (error instanceof TargetRefusal) return refuse(error.message)
    throw error
  }
  return { name, outcome: same ? (changes.length > 0 ? 'updated' : 'unchanged') : 'created', changes, left }
}

// The secrets are asked for by themselves.
const known = [
  'name',
  'identifier',
  'providerId',
  'channel',
  'kind',
  'credentials',
  'active',
  'primary',
  'conditions',
  'check',
]

/** Which of them sends, and when, is decided here once it is here: it is told, and not changed. */
function otherHere(given: Item, same: Item | undefined): { field: string; why: string }[] {
  const left = []
  if (given.primary === true && same?.primary !== true)
    left.push({ field: 'primary', why: 'is the primary one there: make it so here when it is complete' })
  if (same && typeof given.primary === 'boolean' && !given.primary && same.primary === true)
    left.push({ field: 'primary', why: 'is the primary one here and not there: it stays so' })
  if (same && given.active === true && same.active !== true)
    left.push({ field: 'active', why: 'is on there and off here: it stays so' })
  if (same && given.active === false && same.active === true)
    left.push({ field: 'active', why: 'is off there and on here: it stays so' })
  const has = (it: Item) => Array.isArray(it.conditions) && it.conditions.length > 0
  if (same && !has(given) && has(same))
    left.push({ field: 'conditions', why: 'has none there, and some here: they stay' })
  return left
}

/** Where it has none, one that is the same at each run: it is found by it. */
function identifierOf({ identifier, _id, name }: Item, providerId: unknown): string {
  if (textIn(identifier) !== '') return textIn(identifier)
  const own =
    textIn(_id) ||
    sha256(JSON.stringify([providerId, name]))
      .toString('hex')
      .slice(0, 24)
  return `${textIn(providerId)}-${own}`
}

function changesOf(same: Item, fields: Item): string[] {
  return Object.entries(fields).flatMap(([name, value]) => (isSameField(same[name], value) ? [] : name))
}

/** What is said shorter there has its defaults here. */
function isSameField(here: unknown, there: unknown): boolean {
  const complete = (value: unknown) =>
    Array.isArray(value)
      ? value.map((it) => ({ isNegated: false, type: 'GROUP', value: 'AND', children: [], ...Object(it) }))
      : value
  return canonicalJson(complete(here)) === canonicalJson(complete(there))
}

function save({ target }: Run, same: Item | undefined, body: Item, fields: Item): Promise<Item> {
  return same
    ? target.call('PUT', address`/v1/integrations/${same._id}`, fields)
    : target.call('POST', '/v1/integrations', body)
}

function complete({ target, state }: Run, name: string, saved: Item | undefined): void {
  const path = saved ? `/integrations/${String(saved._id)}` : '/integrations'
  state.toComplete.add(`${name}: ${target.url ?? ''}${path}`)
}
