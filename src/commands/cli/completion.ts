import { Argument, type Command } from 'commander'
import type { Host } from '../host.ts'
import { addExample, pathOf } from './add-example.ts'

/** A command, and what may follow its words. */
type Entry = { path: string; words: string[]; choices: { option: string; values: readonly string[] }[] }

const shells = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof shells)[number]

export function addCompletion(program: Command, host: Host): void {
  const completion = program
    .command('completion')
    .description('Prints a script with which a shell completes commands and options.')
    .addArgument(new Argument('<shell>', 'The shell.').choices(shells))
  addExample(completion, 'completion bash > /etc/bash_completion.d/tidings').action((shell: Shell) =>
    host.print(scripts[shell](program)),
  )
}

/** The program, its commands and their commands. */
export function allCommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allCommands)]
}

const scripts: Record<Shell, (program: Command) => string> = {
  bash: (program) => `# Completion of tidings for bash. Load it with: source <(tidings completion bash)
_tidings() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} at= word found=
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
${casesOfCommands(program)}
  done
${casesOfCompletions(program)}
  COMPREPLY=($(compgen -W "$found" -- "$current"))
}
complete -o default -F _tidings tidings`,

  zsh: (program) => `#compdef tidings
# Completion of tidings for zsh. Load it with: source <(tidings completion zsh)
_tidings() {
  local current=\${words[CURRENT]} before=\${words[CURRENT-1]} at= word found=
  for word in "\${(@)words[2,CURRENT-1]}"; do
${casesOfCommands(program)}
  done
${casesOfCompletions(program)}
  compadd -- \${=found}
  _files
}
compdef _tidings tidings`,

  fish: (program) => `# Completion of tidings for fish. Load it with: tidings completion fish | source
function __tidings_at
  set -l at
  for word in (commandline -opc)[2..]
    contains -- (string join -- ' ' $at $word) ${paths(program).join(' ')}; and set -a at $word
  end
  test "$at" = "$argv[1]"
end
${allCommands(program).flatMap(fishLines).join('\n')}`,
}

/** Appends the word to the path \`at\` if that makes a command. Both bash and zsh understand it. */
function casesOfCommands(program: Command): string {
  return `    case "\${at:+$at }$word" in
      ${paths(program).join(' | ')}) at="\${at:+$at }$word" ;;
    esac`
}

function casesOfCompletions(program: Command): string {
  const entries = allCommands(program).map(toEntry)
  const afterOption = entries.flatMap(({ path, choices }) =>
    choices.map(({ option, values }) => `    '${path} ${option}') found='${values.join(' ')}' ;;`),
  )
  const afterCommand = entries.map(({ path, words }) => `    '${path}') found='${words.join(' ')}' ;;`)
  return [
    '  case $at in',
    ...afterCommand,
    '  esac',
    ...onlyIfTyped,
    '  case "$at $before" in',
    ...afterOption,
    '  esac',
  ].join('\n')
}

// Options come last in a list. They are offered after a dash only: otherwise the shell should complete files.
// biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of the shell
const onlyIfTyped = ['  [[ $current == -* ]] || found=${found%%--*}']

function paths(program: Command): string[] {
  return allCommands(program).flatMap((command) => (command.parent ? `'${pathOf(command).join(' ')}'` : []))
}

function toEntry(command: Command): Entry {
  const options = command.createHelp().visibleOptions(command)
  return {
    path: pathOf(command).join(' '),
    words: [
      ...command.commands.map((it) => it.name()),
      ...command.registeredArguments.flatMap((it) => it.argChoices ?? []),
      ...options.flatMap(({ long }) => long ?? []),
    ],
    choices: options.flatMap(({ long, argChoices }) =>
      long && argChoices ? { option: long, values: argChoices } : [],
    ),
  }
}

function fishLines(command: Command): string[] {
  const base = `complete -c tidings -n "__tidings_at '${pathOf(command).join(' ')}'"`
  const quoted = (text: string) => `'${text.replaceAll(/['\\]/g, '\\$&')}'`
  return [
    ...command.commands.map((it) => `${base} -f -a ${it.name()} -d ${quoted(it.summary() || it.description())}`),
    ...command.registeredArguments.flatMap(({ argChoices }) =>
      argChoices ? `${base} -f -a ${quoted(argChoices.join(' '))}` : [],
    ),
    ...command
      .createHelp()
      .visibleOptions(command)
      .map(({ long, description, required, argChoices }) => {
        const values = argChoices ? ` -f -a ${quoted(argChoices.join(' '))}` : ''
        return `${base} -l ${long?.slice(2)}${required ? ' -r' : ''}${values} -d ${quoted(description)}`
      }),
  ]
}
