import { parseArgs } from 'node:util'
import type { Config } from '../../config.ts'
import type { Applied } from '../../core/content/apply-content.ts'
import { ApiError } from '../../errors.ts'
import type { Say } from '../prepare.ts'
import { type Door, doorOptions, openDoor } from './door.ts'
import { type ContentFile, readFolder } from './read-folder.ts'
import { nameOf, summarized } from './show-changes.ts'

const words = { added: 'created', modified: 'changed', unchanged: 'unchanged' } as const

/**
 * `apply <folder> [--environment <id>] [--url <URL> --key <API key>]`: what files say of workflows, layouts and words. All
 * of it, or nothing.
 */
export async function applyCommand(settings: () => Config, args: string[], say: Say): Promise<number> {
  const { values, positionals } = parseArgs({ args, options: doorOptions, allowPositionals: true })
  const [folder] = positionals
  if (!folder || positionals.length > 1) {
    throw new Error('Say: apply <folder> [--environment <id>] [--url <URL> --key <API key>]')
  }
  const faults: string[] = []
  const files = readContentFolder(folder, faults)
  const door = await openDoor(settings, values)
  try {
    const { resources, summary } = await applyFiles(door, files, faults, { dryRun: false })
    for (const [index, it] of resources.entries()) {
      const changes = summarized(it)
      say(`${words[it.action].padEnd(9)}  ${nameOf(it)}${changes && `: ${changes}`}  (${files[index]?.file})`)
      for (const warning of it.warnings) say(`warning    ${nameOf(it)}: ${warning}`)
    }
    say(`${summary.added} created, ${summary.modified} changed, ${summary.unchanged} unchanged.`)
    return 0
  } finally {
    await door.close()
  }
}

export function readContentFolder(folder: string, faults: string[]): ContentFile[] {
  const files = readFolder(folder, faults)
  if (files.length + faults.length > 0) return files
  throw new Error(`There is no .yaml, .yml or .json file in ${folder}.`)
}

/** Throws when any file has a fault, also one of reading: then nothing is applied, and every fault is told. */
export async function applyFiles(
  door: Door,
  files: readonly ContentFile[],
  readFaults: readonly string[],
  { dryRun }: { dryRun: boolean },
): Promise<Applied> {
  const faults = [...readFaults]
  const values = files.map(({ value }) => value)
  let applied: Applied | null = null
  try {
    if (values.length > 0) applied = await door.apply(values, { dryRun: dryRun || faults.length > 0 })
  } catch (error) {
    faults.push(...faultsOf(files, error))
  }
  if (faults.length > 0 || !applied) throw new Error(`Nothing was applied:\n- ${faults.join('\n- ')}`)
  return applied
}

/** By file and field. Anything but faults of files is thrown. */
function faultsOf(files: readonly ContentFile[], error: unknown): string[] {
  const errors = error instanceof ApiError ? error.details.errors : undefined
  if (!errors) throw error
  return Object.entries(errors).flatMap(([path, { messages }]) => {
    const [, place = '', field = ''] = /^resources\.(\d+)\.?(.*)$/s.exec(path) ?? []
    const file = files[Number(place)]?.file
    return messages.map((message) =>
      file === undefined ? `${path} ${message}` : `${file}: ${`${field} ${message}`.trim()}`,
    )
  })
}
