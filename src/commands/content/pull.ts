import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { stringify } from 'yaml'
import type { Config } from '../../config.ts'
import { ApiError } from '../../errors.ts'
import { canonicalJson, isPlainObject } from '../../lib/canonical-json.ts'
import type { Say } from '../prepare.ts'
import { type Door, doorOptions, openDoor } from './door.ts'
import { placesOf } from './places.ts'
import { type ContentFile, readFolder } from './read-folder.ts'

/**
 * `pull <folder> [--prune] [--environment <id>] [--url <URL> --key <API key>]`: writes what an environment holds as the
 * files that `apply` reads. A file that says the same already is not touched, whatever it looks like; one that says
 * something else is written anew where it is. `--prune` deletes those of what is gone.
 */
export async function pullCommand(settings: () => Config, args: string[], say: Say): Promise<number> {
  const options = { ...doorOptions, prune: { type: 'boolean' } } as const
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const [folder] = positionals
  if (!folder || positionals.length > 1) {
    throw new Error('Say: pull <folder> [--prune] [--environment <id>] [--url <URL> --key <API key>]')
  }
  const faults: string[] = []
  const known = existsSync(folder) ? readFolder(folder, faults) : []
  // Else a file that cannot be read would get a second one beside it.
  if (faults.length > 0) throw new Error(`Nothing was written:\n- ${faults.join('\n- ')}`)
  const door = await openDoor(settings, values)
  const { given, same } = await look(door, known).finally(() => door.close())
  const files = placesOf(given, known)
  const changed = files.filter(({ file, value }) => !same.has(file) && !isSame(known, file, value))
  for (const { file, value } of changed) {
    write(join(folder, file), value)
    say(`written    ${file}`)
  }
  const there = new Set(files.map(({ file }) => file))
  const gone = known.filter(({ file }) => !there.has(file))
  for (const { file } of gone) {
    if (values.prune) rmSync(join(folder, file))
    say(`${values.prune ? 'deleted' : 'gone   '}    ${file}`)
  }
  if (gone.length > 0 && !values.prune) say('What is gone from the environment stays as a file; --prune deletes it.')
  const deleted = values.prune ? gone.length : 0
  say(`${changed.length} written, ${files.length - changed.length} unchanged, ${deleted} deleted.`)
  return 0
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
