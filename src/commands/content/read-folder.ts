import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parse as parseYaml } from 'yaml'
import { readJsonText } from '../../core/translations/files.ts'
import { isPlainObject } from '../../lib/canonical-json.ts'
import { nameInFile } from './file-names.ts'

/** `file`: within the folder, with slashes. `value`: what it holds, as the API takes it. */
export type ContentFile = { file: string; value: unknown }

// What the API takes of one thing is less.
const maxFileBytes = 8 * 1024 * 1024
const wordsFolders = [
  ['workflow', 'workflows'],
  ['layout', 'layouts'],
] as const

/**
 * Every file of the folder, and of `layouts` in it, is a workflow or a layout (what has a layoutId); their words are in
 * `translations/workflows/<workflowId>/de_AT.json` and `translations/layouts/<layoutId>/de_AT.json`. Layouts first, then
 * workflows, then words. What cannot be read goes to `faults`.
 */
export function readFolder(folder: string, faults: string[]): ContentFile[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`There is no folder ${folder || '""'}. Give the path of the folder with the files.`)
  const seen = new Map<string, string>()
  const files = namesIn(folder).flatMap((file): ContentFile[] => {
    try {
      const value = readOne(join(folder, file))
      refuseTwice(seen, value, file)
      return [{ file, value }]
    } catch (error) {
      if (!(error instanceof Error)) throw error
      // The YAML reader adds lines that show the place.
      faults.push(`${file}: ${error.message.split('\n', 1)[0]?.replace(/:$/, '')}`)
      return []
    }
  })
  const rank = ({ value }: ContentFile) => {
    if (!isPlainObject(value)) return '2'
    return 'layoutId' in value ? `0 ${value.layoutId}` : `1 ${value.workflowId}`
  }
  return [...files.sort((a, b) => (rank(a) < rank(b) ? -1 : 1)), ...readWords(folder, faults)]
}

function namesIn(folder: string): string[] {
  const inside = join(folder, 'layouts')
  return [...filesIn(folder), ...(existsSync(inside) ? filesIn(inside).map((name) => `layouts/${name}`) : [])].sort()
}

function filesIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => /\.(ya?ml|json)$/i.test(name))
}

function readOne(path: string): unknown {
  const text = readFileSync(path, 'utf8')
  if (Buffer.byteLength(text) > maxFileBytes) throw new Error('is larger than 8 MB')
  // Converted to JSON and back, which removes what only YAML has (aliases, infinities).
  return JSON.parse(/\.json$/i.test(path) ? text : JSON.stringify(parseYaml(text)) || 'null')
}

function refuseTwice(seen: Map<string, string>, value: unknown, file: string): void {
  if (!isPlainObject(value)) return
  const said = ['layoutId', 'workflowId'].flatMap((name) =>
    typeof value[name] === 'string' ? `${name} "${value[name].trim()}"` : [],
  )
  if (value.layoutId !== undefined && value.isDefault === true) said.push('isDefault')
  for (const it of said) {
    const other = seen.get(it)
    if (other !== undefined) throw new Error(`${it} is that of ${other} too`)
    seen.set(it, file)
  }
}

function readWords(folder: string, faults: string[]): ContentFile[] {
  return wordsFolders.flatMap(([resourceType, name]) => {
    const place = join(folder, 'translations', name)
    return leavesOf(place, 'folders').flatMap((owner) =>
      leavesOf(join(place, owner), 'files').flatMap((leaf) => {
        const file = ['translations', name, owner, leaf].join('/')
        const locale = /^(.*)\.json$/i.exec(leaf)?.[1]
        const content = readJsonText(readFileSync(join(place, owner, leaf), 'utf8'))
        if (locale === undefined) faults.push(`${file}: is not named after a language such as de_AT.json`)
        if (content === undefined) faults.push(`${file}: is not JSON that can be stored`)
        if (locale === undefined || content === undefined) return []
        return [{ file, value: { resourceType, resourceId: nameInFile(owner), locale, content } }]
      }),
    )
  })
}

function leavesOf(place: string, kind: 'folders' | 'files'): string[] {
  if (!existsSync(place)) return []
  const found = readdirSync(place, { withFileTypes: true })
  return found.flatMap((it) => (it.isDirectory() === (kind === 'folders') ? it.name : [])).sort()
}
