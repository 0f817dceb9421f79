import { type Command, Option } from 'commander'
import type { CompareOptions } from '../compare/compare.ts'
import type { Host } from '../host.ts'
import type { ImportOptions } from '../import/import.ts'
import { choices } from '../import/kinds.ts'
import { addExample } from './add-example.ts'
import { wholeNumber } from './whole-number.ts'

/** The commands that help to move here from another service. */
export function addMoving(program: Command, host: Host): void {
  const imports = withBothServices(program.command('import'))
    .description(
      'Imports an environment of another service. An interrupted import continues where it ended, and it may be repeated.',
    )
    .addOption(new Option('--dry-run', 'Only prints what would be done.').conflicts('verify'))
    .option('--verify', 'Only compares both sides. Ends with 1 if something differs.')
    .option('--only <kinds>', `The kinds to import, separated by commas: ${choices.join(', ')}.`)
    .option('--without <kinds>', 'The kinds to leave out, separated by commas.')
    .option('--parallel <count>', 'How many requests run at the same time, from 1 to 64.', wholeNumber(1, 64), 8)
    .option(
      '--state <folder>',
      'The folder that keeps the progress; DATA_DIR by default. In the image, name a mounted volume.',
    )
    .option('--restart', 'Starts from the beginning instead of continuing.')
  addExample(imports, 'import --from-novu --url https://api.example.com --key … --dry-run').action(
    async (options: ImportOptions) => {
      host.exitCode = await (await import('../import/import.ts')).importCommand(host, options)
    },
  )
  const compare = withBothServices(program.command('compare'))
    .description(
      'Compares what recent triggers did in another service with what they would do here. Sends nothing. Ends with 2 if something differs.',
    )
    .option('--last <count>', 'How many triggers are compared.', wholeNumber(1, 100_000), 100)
    .option('--since <time>', 'Compares only newer triggers: 30m, 24h, 7d or a time.')
  addExample(compare, 'compare --from-novu --url https://api.example.com --key … --since 24h').action(
    async (options: CompareOptions) => {
      host.exitCode = await (await import('../compare/compare.ts')).compareCommand(host, options)
    },
  )
}

function withBothServices(command: Command): Command {
  return command
    .requiredOption('--from-novu', 'The kind of the other service. It must be given; there is one kind so far.')
    .option('--url <URL>', 'The address of the other service, or IMPORT_URL.')
    .option('--key <secret key>', 'The secret key of the other service, or IMPORT_KEY.')
    .option('--to <URL>', 'The address of Tidings, or TIDINGS_URL. Without either, the database is used directly.')
    .option('--to-key <API key>', 'The API key for that address, or TIDINGS_API_KEY.')
    .option('--environment <id>', 'The id or slug of the environment in the database; the oldest one by default.')
}
