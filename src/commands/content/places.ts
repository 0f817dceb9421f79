import { isPlainObject } from '../../lib/canonical-json.ts'
import { fileName } from './file-names.ts'
import type { ContentFile } from './read-folder.ts'

/** Where each thing stands already, or a new place for it. */
export function placesOf(given: readonly unknown[], known: readonly ContentFile[]): ContentFile[] {
  const places = new Map(known.map(({ file, value }) => [nameOf(value), file]))
  const pick = createPicker(known)
  return given.map((value) => {
    const thing = isPlainObject(value) ? readThing(value) : null
    // A name may be anything; the rest becomes a path.
    if (!thing) throw new Error('The server names something that this version does not know.')
    return { file: places.get(nameOf(value)) ?? pick(thing), value }
  })
}

type Thing = { folder: '' | 'layouts/' | `translations/${'workflow' | 'layout'}s/`; name: string; locale?: string }

function readThing(value: Record<string, unknown>): Thing | null {
  const { workflowId, layoutId, resourceType, resourceId, locale } = value
  if (typeof workflowId === 'string') return { folder: '', name: workflowId }
  if (typeof layoutId === 'string') return { folder: 'layouts/', name: layoutId }
  if (typeof resourceId !== 'string' || typeof locale !== 'string' || !/^[A-Za-z0-9_]+$/.test(locale)) return null
  if (resourceType !== 'workflow' && resourceType !== 'layout') return null
  return { folder: `translations/${resourceType}s/`, name: resourceId, locale }
}

function createPicker(known: readonly ContentFile[]): (thing: Thing) => string {
  const taken = new Map<string, Set<string>>()
  // All words of one workflow or layout stand in one folder.
  const chosen = new Map(
    known.flatMap(({ file, value }) => {
      const thing = isPlainObject(value) ? readThing(value) : null
      return thing?.locale === undefined
        ? []
        : [[thing.folder + thing.name, file.slice(0, file.lastIndexOf('/'))] as const]
    }),
  )
  return ({ folder, name, locale }) => {
    const names = taken.get(folder) ?? new Set(known.flatMap(({ file }) => nameWithin(folder, file)))
    taken.set(folder, names)
    if (locale === undefined) return `${folder}${fileName(name, names)}.yaml`
    const inside = chosen.get(folder + name) ?? folder + fileName(name, names)
    chosen.set(folder + name, inside)
    return `${inside}/${locale}.json`
  }
}

/** Of a file or folder that stands there, without its ending. */
function nameWithin(folder: string, file: string): string[] {
  const parts = file.startsWith(folder) ? file.slice(folder.length).split('/') : []
  const [first = ''] = parts
  return parts.length === (folder.startsWith('translations/') ? 2 : 1)
    ? [first.replace(/\.\w+$/, '').toLowerCase()]
    : []
}

/** The same for the same thing, as a file or as the server says it. */
function nameOf(value: unknown): string {
  if (!isPlainObject(value)) return ''
  const { workflowId, layoutId, resourceType, resourceId, locale } = value
  if (typeof layoutId === 'string') return `layout ${layoutId.trim()}`
  if (typeof locale === 'string') return `${resourceType} ${resourceId} ${locale.replaceAll('-', '_')}`
  return typeof workflowId === 'string' ? `workflow ${workflowId.trim()}` : ''
}
