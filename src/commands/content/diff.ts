import type { Host } from '../host.ts'
import { applyFiles, readContentFolder } from './apply.ts'
import { type EnvironmentOptions, openDoor } from './door.ts'
import { nameOf, printChanges } from './show-changes.ts'

/** The exit codes, for scripts. 1 is left to errors. */
const [same, differs] = [0, 2]

/** Shows what `apply` would change. */
export async function diffCommand(
  { settings, print }: Host,
  folder: string,
  options: EnvironmentOptions & { json?: true },
): Promise<number> {
  const faults: string[] = []
  const files = readContentFolder(folder, faults)
  const door = await openDoor(settings, options)
  try {
    const { resources, summary } = await applyFiles(door, files, faults, { dryRun: true })
    const named = resources.map((it, index) => ({ file: files[index]?.file, ...it }))
    if (options.json) print(JSON.stringify({ resources: named, summary }, null, 2))
    else {
      for (const it of named) {
        if (it.action === 'unchanged') continue
        print(`${it.action.padEnd(8)}  ${nameOf(it)}  (${it.file})`)
        printChanges(it, print)
      }
      print(`${summary.added} would be created, ${summary.modified} changed; ${summary.unchanged} are the same.`)
    }
    return summary.added + summary.modified > 0 ? differs : same
  } finally {
    await door.close()
  }
}
