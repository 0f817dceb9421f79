import { pathOf } from '../../src/commands/cli/add-example.ts'
import { allCommands } from '../../src/commands/cli/completion.ts'
import { createProgram } from '../../src/commands/cli/create-program.ts'

/** The words of every command: `['keys']`, `['keys', 'create']` and so on; the first entry is the program itself, which has no words. */
export function commandPaths(): string[][] {
  const settings = () => {
    throw new Error('nothing here runs a command')
  }
  const host = { settings, print() {}, exitCode: 0 }
  return allCommands(createProgram(host, () => {})).map(pathOf)
}
