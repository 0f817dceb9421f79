import { canonicalJson, isPlainObject } from '../../lib/canonical-json.ts'
import { address } from '../from-novu/address.ts'
import type { Item } from '../from-novu/lists.ts'
import type { Run } from './run.ts'
import { tryRead } from './try-read.ts'

const profile = ['firstName', 'lastName', 'email', 'phone', 'avatar', 'locale', 'timezone', 'data'] as const

type Look = (run: Run, name: string) => Promise<string[]>

/** Some of each kind are read on both sides, by another way than they were written. A text for each that differs. */
const looks: Record<string, Look> = {
  async subscribers(run, name) {
    const [there, here] = await both(run, address`/v2/subscribers/${name}`)
    return differing(there, here, profile)
  },
  async topics(run, name) {
    const path = address`/v2/topics/${name}`
    const [there, here] = await both(run, path)
    const [theirs, ours] = await both(run, `${path}/subscriptions?limit=1`)
    const counts = [theirs?.totalCount, ours?.totalCount]
    const isLess = typeof counts[0] === 'number' && typeof counts[1] === 'number' && counts[1] < counts[0]
    // A name that is only here stays, as whatever is only here does.
    const isNamed = typeof there?.name === 'string' && there.name !== ''
    return [
      ...differing(there, here, isNamed ? ['name'] : []),
      ...(isLess ? [`${counts[0]} members there, ${counts[1]} here`] : []),
    ]
  },
  async workflows(run, name) {
    const [there, here] = await both(run, address`/v2/workflows/${name}`)
    const stepsOf = (it: Item | null) => (Array.isArray(it?.steps) ? it.steps.filter(isPlainObject) : [])
    const known = new Set(stepsOf(here).map((it) => it.stepId))
    const missing = stepsOf(there).filter(({ stepId }) => !known.has(stepId))
    return [...differing(there, here, ['name']), ...missing.map(({ stepId }) => `step ${stepId}`)]
  },
  async layouts(run, name) {
    const [there, here] = await both(run, address`/v2/layouts/${name}`)
    return differing(there, here, ['name', 'isDefault'])
  },
}

async function both({ source, target }: Run, path: string): Promise<[Item | null, Item | null]> {
  const [there, here] = await Promise.all([source.find(path), target.find(path)])
  return [isPlainObject(there) ? there : null, here]
}

function differing(there: Item | null, here: Item | null, fields: readonly string[]): string[] {
  // Deleted since it was read, so there is nothing to compare.
  if (!there) return []
  if (!here) return ['is not here']
  const plain = (value: unknown) => (value === undefined || value === '' ? null : value)
  return fields.filter((name) => canonicalJson(plain(there[name])) !== canonicalJson(plain(here[name])))
}

/** `unread`: what could not be read again. */
export type Compared = { compared: string[]; differences: string[]; unread: string[] }

export async function compareSamples(run: Run): Promise<Compared> {
  const compared: string[] = []
  const differences: string[] = []
  const unread: string[] = []
  for (const [kind, look] of Object.entries(looks)) {
    const names = run.samples.of(kind)
    let count = 0
    for (const name of names) {
      const read = await tryRead(run, '', () => look(run, name))
      if ('left' in read) {
        unread.push(`${kind} ${name}: ${read.left.why}`)
        continue
      }
      count += 1
      if (read.found.length > 0) differences.push(`${kind} ${name}: ${read.found.join(', ')}`)
    }
    if (count > 0) compared.push(`${count} ${kind}`)
  }
  return { compared, differences, unread }
}
