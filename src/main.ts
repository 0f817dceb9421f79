import { applyCommand } from './commands/apply.ts'
import { conserveCommand } from './commands/conserve.ts'
import { environmentsCommand } from './commands/environments.ts'
import { gatewayCommand } from './commands/gateway.ts'
import { keysCommand } from './commands/keys.ts'
import { migrateCommand } from './commands/migrate.ts'
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
  ['apply', applyCommand],
  ['keys', keysCommand],
  ['environments', environmentsCommand],
  ['secrets', secretsCommand],
  ['tasks', tasksCommand],
  ['conserve', (config, _args, say) => conserveCommand(config, say)],
])

const [name = 'start', ...args] = process.argv.slice(2)
let config: Config | undefined
try {
  if (name === 'version') versionCommand(say)
  // Its settings are others: it has neither a database nor encryption keys.
  else if (name === 'gateway') await gatewayCommand(say)
  else {
    const command = commands.get(name)
    if (!command)
      throw new Error(
        `There is no command "${name}"; there are: ${[...commands.keys(), 'gateway', 'version'].join(', ')}.`,
      )
    config = readConfig()
    await command(config, args, say)
  }
} catch (error) {
  console.error(whyFailed(error, config))
  process.exitCode = 1
}
