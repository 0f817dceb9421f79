import { isPlainObject } from '../../lib/canonical-json.ts'
import { address } from '../from-novu/address.ts'
import { type Item, listWhole } from '../from-novu/lists.ts'
import { textIn } from '../from-novu/names.ts'
import { commit, finishKind, leaveRefused, type Noted, note, type Run } from './run.ts'
import { TargetRefusal } from './target.ts'
import { tryRead } from './try-read.ts'

const path = '/v1/environment-variables'

/** `{{env.KEY}}` of templates, with the value of the environment that the key opens. Secret ones are not told by anybody. */
export async function importVariables(run: Run): Promise<void> {
  const state = run.state.kind('variables')
  if (state.done) return
  try {
    const listed = await listWhole(run.source, path)
    const me = await tryRead(run, 'values', () => run.source.find('/v1/environments/me'))
    if ('left' in me) note(run, 'variables', { name: 'all', left: [me.left] })
    const there = 'found' in me ? me.found : null
    const here = textIn((await run.target.call('GET', '/v1/environments/me'))._id)
    for (const given of listed) {
      state.counts.there += 1
      note(run, 'variables', await importOne(run, given, { there: Object(there)._id, here }))
      commit(run)
    }
    finishKind(run, 'variables')
  } catch (error) {
    leaveRefused(run, 'variables', error)
  }
}

type Environments = { there: unknown; here: string }

async function importOne({ mode, target, state }: Run, given: Item, { there, here }: Environments): Promise<Noted> {
  const key = textIn(given.key)
  const refuse = (why: string): Noted => ({ name: key, outcome: 'failed', left: [{ why }] })
  const value = valueIn(given, there)
  if (!/^\w+$/.test(key)) return refuse('its key can be none here')
  const found = await target.find(path + address`/${key}`)
  const before = found ? valueIn(found, here) : undefined
  if (given.isSecret === true) {
    if (before === undefined) state.toComplete.add(`variable ${key}: POST ${path}, see docs/templates.md`)
    return refuse('is secret: its value cannot be read out of the other service')
  }
  if (value === undefined) return refuse('has no value in the environment of this key')
  if (before === value) return { name: key, outcome: 'unchanged' }
  try {
    const values = [{ _environmentId: here, value }]
    if (mode === 'import' && found) await target.call('PATCH', path + address`/${key}`, { values })
    if (mode === 'import' && !found) await target.call('POST', path, { key, values })
  } catch (error) {
    if (error instanceof TargetRefusal) return refuse(error.message)
    throw error
  }
  return { name: key, outcome: found ? 'updated' : 'created', changes: ['value'] }
}

function valueIn({ values }: Item, environmentId: unknown): string | undefined {
  const list = Array.isArray(values) ? values.filter(isPlainObject) : []
  const own = list.find((it) => it._environmentId === environmentId)
  return typeof own?.value === 'string' ? own.value : undefined
}
