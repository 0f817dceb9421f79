import { Command } from 'commander'
import type { Host } from '../host.ts'
import { pathOf } from './add-example.ts'
import { addAdministration } from './administration.ts'
import { addCompletion, allCommands } from './completion.ts'
import { addContent } from './content.ts'
import { addEnvironments } from './environments.ts'
import { addMoving } from './moving.ts'
import { addServing } from './serving.ts'

/** The same width everywhere, because docs/commands.md holds these texts. */
const helpWidth = 100

const exitCodes = `
Exit codes:
  0    It worked. \`diff\`, \`compare\`, \`import --verify\`, \`conserve\`: nothing differs. A service
       was asked to stop, and has stopped in order.
  1    It failed, and the reason was printed. Also: the command line has a mistake; \`import --verify\`,
       \`environments move\` and \`conserve\` found a difference; a second signal ended it.
  2    \`diff\` and \`compare\` found a difference.
  130  It was interrupted by Ctrl-C. \`import\` and \`compare\` also end with 130 after SIGTERM.
  143  It was interrupted by SIGTERM.

Documentation: docs/commands.md in the repository of Tidings`

/** Every command with its options. It loads no other module: each command imports its own when it runs. */
export function createProgram(host: Host, printMistake: (text: string) => void): Command {
  const program = new Command('tidings')
    .description('Notification delivery service: one process, one PostgreSQL.')
    .usage('[command] [options]')
    .helpOption('-h, --help', 'Shows this help.')
    .helpCommand('help [command]', 'Shows the help of a command.')
    .addHelpText('after', exitCodes)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => host.print(text.trimEnd()),
      writeErr: printMistake,
      getOutHelpWidth: () => helpWidth,
      getErrHelpWidth: () => helpWidth,
    })
  addServing(program, host)
  addContent(program, host)
  addMoving(program, host)
  addAdministration(program, host)
  addEnvironments(program, host)
  addCompletion(program, host)
  for (const command of allCommands(program)) {
    const words = ['tidings', ...pathOf(command), '--help'].join(' ')
    command.showHelpAfterError(`For help: ${words}`)
  }
  return program
}
