import { compareCommand } from './commands/compare/compare.ts'
import { conserveCommand } from './commands/conserve.ts'
import { applyCommand } from './commands/content/apply.ts'
import { diffCommand } from './commands/content/diff.ts'
import { pullCommand } from './commands/content/pull.ts'
import { environmentsCommand } from './commands/environments.ts'
import { gatewayCommand } from './commands/gateway.ts'
import { importCommand } from './commands/import/import.ts'
import { keysCommand } from './commands/keys.ts'
import { migrateCommand } from './commands/migrate.ts'
import { peopleCommand } from './commands/people.ts'
import type { Say } from './commands/prepare.ts'
import { secretsCommand } from './commands/secrets.ts'
import { serve } from './commands/serve.ts'
import { tasksCommand } from './commands/tasks.ts'
import { versionCommand } from './commands/version.ts'
import { whyFailed } from './commands/why-failed.ts'
import { type Config, readConfig } from './config.ts'

type Command = (config: Config, args: string[], say: Say) => Promise<void>

const say: Say = (line) => console.log(line)

const commands = new Map<string, Command>([
  ['start', (config, _args, say) => serve(config, 'start', say)],
  ['api', (config, _args, say) => serve(config, 'api', say)],
  ['worker', (config, _args, say) => serve(config, 'worker', say)],
  ['migrate', (config, _args, say) => migrateCommand(config, say)],
  ['keys', keysCommand],
  ['environments', environmentsCommand],
  ['people', peopleCommand],
  ['secrets', secretsCommand],
  ['tasks', tasksCommand],
  ['conserve', (config, _args, say) => conserveCommand(config, say)],
])

/** They need no settings of the service where they are given its address, and say by their exit code what they found. */
type ContentCommand = (settings: () => Config, args: string[], say: Say) => Promise<number>

const contentCommands = new Map<string, ContentCommand>([
  ['apply', applyCommand],
  ['diff', diffCommand],
  ['pull', pullCommand],
  ['import', importCommand],
  ['compare', compareCommand],
])

const [name = 'start', ...args] = process.argv.slice(2)
let config: Config | undefined
try {
  if (name === 'version') versionCommand(say)
  // Its settings are others: it has neither a database nor encryption keys.
  else if (name === 'gateway') await gatewayCommand(say)
  else {
    const readIt = () => {
      config = readConfig()
      return config
    }
    const command = commands.get(name)
    const contentCommand = contentCommands.get(name)
    if (command) await command(readIt(), args, say)
    else if (contentCommand) process.exitCode = await contentCommand(readIt, args, say)
    else {
      const names = [...commands.keys(), ...contentCommands.keys(), 'gateway', 'version']
      throw new Error(`There is no command "${name}"; there are: ${names.join(', ')}.`)
    }
  }
} catch (error) {
  console.error(whyFailed(error, config))
  process.exitCode = 1
}
