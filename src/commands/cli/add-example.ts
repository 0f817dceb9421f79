import type { Command } from 'commander'

/** The words of a command as they are typed, without the name of the program: `['keys', 'create']`. */
export function pathOf(command: Command): string[] {
  return command.parent ? [...pathOf(command.parent), command.name()] : []
}

/** Ends the help of a command with an example and the section of the documentation that is about it. */
export function addExample(command: Command, example: string): Command {
  const page = `docs/commands.md#${pathOf(command).join('-')}`
  return command.addHelpText(
    'after',
    `\nExample:\n  tidings ${example}\n\nDocumentation: ${page} in the repository of Tidings`,
  )
}
