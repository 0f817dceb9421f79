import { type Command, Option } from 'commander'
import { scopes } from '../../store/access/grants.ts'
import type { Host } from '../host.ts'
import type { KeyOptions } from '../keys.ts'
import { addExample } from './add-example.ts'
import { wholeNumber } from './whole-number.ts'

/** The commands with which an operator works on the database of the settings. */
export function addAdministration(program: Command, host: Host): void {
  addKeys(program.command('keys').description('Creates, lists and revokes API keys.'), host)
  addPeople(
    program.command('people').description('Lists the people who have an account, and helps them back in.'),
    host,
  )
  addTasks(
    program.command('tasks').description('Lists background tasks that were given up, repeats them or drops them.'),
    host,
  )
  addSecrets(program.command('secrets').description('Encrypts the secrets in the database with another key.'), host)
  const conserve = program
    .command('conserve')
    .description('Checks for every environment that nothing was lost or doubled. Ends with 1 if something was.')
  addExample(conserve, 'conserve').action(async () => {
    host.exitCode = await (await import('../conserve.ts')).conserveCommand(host)
  })
}

function addKeys(keys: Command, host: Host): void {
  const create = keys
    .command('create')
    .description('Creates an API key and prints it once.')
    .argument('[environment]', 'The id or slug of the environment; the oldest one by default.')
    .argument('[name]', 'A name to recognize the key by.', 'made by hand')
    .option('--organization', 'The key opens all environments of the organization.')
    .addOption(new Option('--scope <scope>', 'What the key may do.').choices(scopes).default('everything'))
    .option('--days <count>', 'How many days the key works; forever by default.', wholeNumber(0, 36_500))
    .option('--note <words>', 'What the key is for.')
  addExample(create, 'keys create production shop --scope trigger --days 90').action(
    async (environment: string | undefined, name: string, options: KeyOptions) =>
      (await import('../keys.ts')).createKey(host, environment, name, options),
  )
  const list = keys
    .command('list')
    .description('Lists API keys. It shows no key itself.')
    .argument('[environment]', 'The id or slug of the environment; all of them by default.')
  addExample(list, 'keys list production').action(async (environment: string | undefined) =>
    (await import('../keys.ts')).listKeys(host, environment),
  )
  const revoke = keys
    .command('revoke')
    .description('Revokes an API key. Every node refuses it within 5 seconds.')
    .argument('<key-id>', 'The id, as `keys list` prints it.')
  addExample(revoke, 'keys revoke 0198c2f4-3f1e-7d1a-9f63-0c7d1f2a3b4c').action(async (id: string) =>
    (await import('../keys.ts')).revokeKey(host, id),
  )
}

function addPeople(people: Command, host: Host): void {
  const list = people
    .command('list')
    .description('Lists the people who have an account.')
    .argument('[words...]', 'Part of a name or of an e-mail address.')
  addExample(list, 'people list ada').action(async (words: string[]) =>
    (await import('../people.ts')).listPeople(host, words),
  )
  const link = people
    .command('link')
    .description('Prints a link with which somebody who lost everything chooses a new password.')
    .argument('<e-mail>', 'The e-mail address of the account.')
    .option('--without-second-proof', 'Also turns the second proof off, because it is lost as well.')
  addExample(link, 'people link ada@example.com').action(
    async (email: string, options: { withoutSecondProof?: true }) =>
      (await import('../people.ts')).linkPerson(host, email, options),
  )
}

function addTasks(tasks: Command, host: Host): void {
  const list = tasks.command('list').description('Lists the tasks that need attention, each with its reason.')
  addExample(list, 'tasks list').action(async () => (await import('../tasks.ts')).listTasks(host))
  const retry = tasks
    .command('retry')
    .description('Runs a task again that was given up.')
    .argument('<task-id>', 'The id, as `tasks list` prints it, or `all`.')
  addExample(retry, 'tasks retry all').action(async (id: string) => (await import('../tasks.ts')).retryTasks(host, id))
  const drop = tasks
    .command('drop')
    .description('Gives a task up for good and cancels what it was to do.')
    .argument('<task-id>', 'The id, as `tasks list` prints it.')
  addExample(drop, 'tasks drop 0b5c9f2e-6a3d-4c1e-9f63-0c7d1f2a3b4c').action(async (id: string) =>
    (await import('../tasks.ts')).dropOneTask(host, id),
  )
}

function addSecrets(secrets: Command, host: Host): void {
  const reseal = secrets
    .command('reseal')
    .description('Encrypts every secret with the first of ENCRYPTION_KEYS, while the service runs.')
  addExample(reseal, 'secrets reseal').action(async () => (await import('../secrets.ts')).resealCommand(host))
}
