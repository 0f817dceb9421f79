import { type Command, Option } from 'commander'
import type { Host } from '../host.ts'
import { addExample } from './add-example.ts'

const idHelp = 'The id, as `environments list` prints it.'

/** Environments, and their moves between cells. */
export function addEnvironments(program: Command, host: Host): void {
  const environments = program
    .command('environments')
    .description('Creates, deletes and restores environments, and moves them between cells.')
  addLifeCycle(environments, host)
  addMoves(environments, host)
}

function addLifeCycle(environments: Command, host: Host): void {
  const list = environments.command('list').description('Lists all environments.')
  addExample(list, 'environments list').action(async () => (await import('../environments.ts')).listCommand(host))
  const create = environments
    .command('create')
    .description('Creates an environment with an API key, which is printed once.')
    .argument('<name>', 'Its name.')
    .argument('[organization]', 'The name of its organization, which is created if needed; the oldest one by default.')
  addExample(create, 'environments create Staging').action(async (name: string, organization: string | undefined) =>
    (await import('../environments.ts')).createCommand(host, name, organization),
  )
  const remove = environments
    .command('delete')
    .description('Deletes an environment. Its keys stop working within 5 seconds. It can be restored for seven days.')
    .argument('<id>', idHelp)
  addExample(remove, 'environments delete 0198c2f4-3f1e-7d1a-9f63-0c7d1f2a3b4c').action(async (id: string) =>
    (await import('../environments.ts')).deleteCommand(host, id),
  )
  const restore = environments
    .command('restore')
    .description('Restores an environment that was deleted less than seven days ago.')
    .argument('<id>', idHelp)
  addExample(restore, 'environments restore 0198c2f4-3f1e-7d1a-9f63-0c7d1f2a3b4c').action(async (id: string) =>
    (await import('../environments.ts')).restoreCommand(host, id),
  )
}

function addMoves(environments: Command, host: Host): void {
  const move = environments
    .command('move')
    .description('Moves an environment to another cell while it is in use. Run again, it continues a move.')
    .argument('<id>', idHelp)
    .addOption(new Option('--to <cell>', 'The name of the other cell.').conflicts(['giveUp', 'verify']))
    .addOption(new Option('--give-up', 'Gives up a move that is under way.').conflicts('verify'))
    .option('--verify', 'Only compares the rows of both cells. Ends with 1 if something differs.')
  addExample(move, 'environments move 0198c2f4-3f1e-7d1a-9f63-0c7d1f2a3b4c --to cb').action(
    async (id: string, options: { to?: string; giveUp?: true; verify?: true }) => {
      host.exitCode = await (await import('../environment-moves.ts')).moveCommand(host, id, options)
    },
  )
  const moves = environments.command('moves').description('Lists all moves, and what they left behind.')
  addExample(moves, 'environments moves').action(async () =>
    (await import('../environment-moves.ts')).movesCommand(host),
  )
  const forget = environments
    .command('forget')
    .description('Deletes the rows of a moved environment in its old cell, seven days after the move.')
    .argument('<id>', idHelp)
    .option('--now', 'Does not wait for the seven days.')
  addExample(forget, 'environments forget 0198c2f4-3f1e-7d1a-9f63-0c7d1f2a3b4c').action(
    async (id: string, options: { now?: true }) =>
      (await import('../environment-moves.ts')).forgetCommand(host, id, options),
  )
}
