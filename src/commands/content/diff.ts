import { parseArgs } from 'node:util'
import type { Config } from '../../config.ts'
import type { Say } from '../prepare.ts'
import { applyFiles, readContentFolder } from './apply.ts'
import { doorOptions, openDoor } from './door.ts'
import { nameOf, sayChanges } from './show-changes.ts'

/** For CI: the files are what the environment holds, or `apply` would change something. */
const [same, differs] = [0, 2]

/**
 * `diff <folder> [--json] [--environment <id>] [--url <URL> --key <API key>]`: what `apply` would change. Ends with 0 if
 * nothing, with 2 if something, with 1 if it cannot be said.
 */
export async function diffCommand(settings: () => Config, args: string[], say: Say): Promise<number> {
  const options = { ...doorOptions, json: { type: 'boolean' } } as const
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const [folder] = positionals
  if (!folder || positionals.length > 1) {
    throw new Error('Say: diff <folder> [--json] [--environment <id>] [--url <URL> --key <API key>]')
  }
  const faults: string[] = []
  const files = readContentFolder(folder, faults)
  const door = await openDoor(settings, values)
  try {
    const { resources, summary } = await applyFiles(door, files, faults, { dryRun: true })
    const named = resources.map((it, index) => ({ file: files[index]?.file, ...it }))
    if (values.json) say(JSON.stringify({ resources: named, summary }, null, 2))
    else {
      for (const it of named) {
        if (it.action === 'unchanged') continue
        say(`${it.action.padEnd(8)}  ${nameOf(it)}  (${it.file})`)
        sayChanges(it, say)
      }
      say(`${summary.added} would be created, ${summary.modified} changed; ${summary.unchanged} are the same.`)
    }
    return summary.added + summary.modified > 0 ? differs : same
  } finally {
    await door.close()
  }
}
