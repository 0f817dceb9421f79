import type { Command } from 'commander'
import type { EnvironmentOptions } from '../content/door.ts'
import type { Host } from '../host.ts'
import { addExample } from './add-example.ts'

/** Workflows, layouts and translations as files. */
export function addContent(program: Command, host: Host): void {
  const apply = withEnvironment(program.command('apply'))
    .description(
      'Creates and changes workflows, layouts and translations from files. If one file has a fault, nothing changes.',
    )
    .argument('<folder>', 'The folder with the files.')
  addExample(apply, 'apply ./notifications --environment production').action(
    async (folder: string, options: EnvironmentOptions) =>
      (await import('../content/apply.ts')).applyCommand(host, folder, options),
  )
  const diff = withEnvironment(program.command('diff'))
    .description('Shows what `apply` would change. Ends with 0 if nothing would change, with 2 if something would.')
    .argument('<folder>', 'The folder with the files.')
    .option('--json', 'Prints JSON instead of text.')
  addExample(diff, 'diff ./notifications').action(
    async (folder: string, options: EnvironmentOptions & { json?: true }) => {
      host.exitCode = await (await import('../content/diff.ts')).diffCommand(host, folder, options)
    },
  )
  const pull = withEnvironment(program.command('pull'))
    .description('Writes the content of an environment as the files that `apply` reads.')
    .argument('<folder>', 'The folder to write to. It is created if it does not exist.')
    .option('--prune', 'Deletes the files whose content the environment no longer has.')
  addExample(pull, 'pull ./notifications --prune').action(
    async (folder: string, options: EnvironmentOptions & { prune?: true }) =>
      (await import('../content/pull.ts')).pullCommand(host, folder, options),
  )
}

function withEnvironment(command: Command): Command {
  return command
    .option('--environment <id>', 'The id or slug of the environment; the oldest one by default.')
    .option('--url <URL>', 'The address of Tidings, or TIDINGS_URL. Without either, the database is used directly.')
    .option('--key <API key>', 'The API key for that address, or TIDINGS_API_KEY.')
}
