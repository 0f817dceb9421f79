import type { Applied } from '../../core/content/apply-content.ts'
import { ApiError } from '../../errors.ts'
import type { Host } from '../host.ts'
import { type Door, type EnvironmentOptions, openDoor } from './door.ts'
import { type ContentFile, readFolder } from './read-folder.ts'
import { nameOf, summarized } from './show-changes.ts'

const words = { added: 'created', modified: 'changed', unchanged: 'unchanged' } as const

/** Applies what files describe: all of it, or nothing. */
export async function applyCommand(
  { settings, print }: Host,
  folder: string,
  options: EnvironmentOptions,
): Promise<void> {
  const faults: string[] = []
  const files = readContentFolder(folder, faults)
  const door = await openDoor(settings, options)
  try {
    const { resources, summary } = await applyFiles(door, files, faults, { dryRun: false })
    for (const [index, it] of resources.entries()) {
      const changes = summarized(it)
      print(`${words[it.action].padEnd(9)}  ${nameOf(it)}${changes && `: ${changes}`}  (${files[index]?.file})`)
      for (const warning of it.warnings) print(`warning    ${nameOf(it)}: ${warning}`)
    }
    print(`${summary.added} created, ${summary.modified} changed, ${summary.unchanged} unchanged.`)
  } finally {
    await door.close()
  }
}

export function readContentFolder(folder: string, faults: string[]): ContentFile[] {
  const files = readFolder(folder, faults)
  if (files.length + faults.length > 0) return files
  throw new Error(`There is no .yaml, .yml or .json file in ${folder}.`)
}

/** Throws an error that lists every fault if any file has one. Then nothing is applied. */
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
