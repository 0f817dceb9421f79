import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { stringify } from 'yaml'
import { ApiError } from '../../errors.ts'
import { canonicalJson, isPlainObject } from '../../lib/canonical-json.ts'
import type { Host } from '../host.ts'
import { type Door, type EnvironmentOptions, openDoor } from './door.ts'
import { placesOf } from './places.ts'
import { type ContentFile, readFolder } from './read-folder.ts'

/**
 * Writes the content of an environment as the files that `apply` reads. A file that says the same already is left as it
 * is, whatever it looks like. With `prune`, files whose content no longer exists are deleted.
 */
export async function pullCommand(
  { settings, print }: Host,
  folder: string,
  { prune, ...options }: EnvironmentOptions & { prune?: true },
): Promise<void> {
  const faults: string[] = []
  const known = existsSync(folder) ? readFolder(folder, faults) : []
  // Otherwise a file that cannot be read would get a second one alongside it.
  if (faults.length > 0) throw new Error(`Nothing was written:\n- ${faults.join('\n- ')}`)
  const door = await openDoor(settings, options)
  const { given, same } = await look(door, known).finally(() => door.close())
  const files = placesOf(given, known)
  const changed = files.filter(({ file, value }) => !same.has(file) && !isSame(known, file, value))
  for (const { file, value } of changed) {
    write(join(folder, file), value)
    print(`written    ${file}`)
  }
  const there = new Set(files.map(({ file }) => file))
  const gone = known.filter(({ file }) => !there.has(file))
  for (const { file } of gone) {
    if (prune) rmSync(join(folder, file))
    print(`${prune ? 'deleted' : 'gone   '}    ${file}`)
  }
  if (gone.length > 0 && !prune)
    print('Files whose content is gone from the environment were kept; --prune deletes them.')
  const deleted = prune ? gone.length : 0
  print(`${changed.length} written, ${files.length - changed.length} unchanged, ${deleted} deleted.`)
}

/** `same`: the files that `apply` would find unchanged. */
async function look(door: Door, known: readonly ContentFile[]): Promise<{ given: unknown[]; same: Set<string> }> {
  const given = await door.read()
  const { resources } = await compare(door, known)
  return {
    given,
    same: new Set(resources.flatMap(({ action }, at) => (action === 'unchanged' ? (known[at]?.file ?? []) : []))),
  }
}

async function compare(door: Door, known: readonly ContentFile[]) {
  const none = { resources: [] }
  if (known.length === 0) return none
  return door
    .apply(
      known.map(({ value }) => value),
      { dryRun: true },
    )
    .catch((error: unknown) => {
      // Files that could not be applied are written anew.
      if (error instanceof ApiError) return none
      throw error
    })
}

function isSame(known: readonly ContentFile[], file: string, value: unknown): boolean {
  const before = known.find((it) => it.file === file)
  return before !== undefined && canonicalJson(before.value) === canonicalJson(value)
}

/** Words are JSON, as translators' tools read it; what was JSON stays so. */
function write(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true })
  const content = isPlainObject(value) && typeof value.locale === 'string' ? value.content : value
  const isJson = /\.json$/i.test(path)
  writeFileSync(path, isJson ? `${JSON.stringify(content, null, 2)}\n` : stringify(content, { lineWidth: 0 }))
}
