import { type Command, CommanderError } from 'commander'
import type { Host } from '../host.ts'
import { createProgram } from './create-program.ts'
import { servingCommands } from './serving.ts'

/** Runs a command line and returns its exit code. A mistake in the command line is thrown like any other failure. */
export async function runProgram(args: readonly string[], given: Pick<Host, 'settings' | 'print'>): Promise<number> {
  const host: Host = { ...given, exitCode: 0 }
  let mistake = ''
  const program = createProgram(host, (text) => {
    mistake += text
  })
  try {
    await program.parseAsync(args.length > 0 ? withHelpLast(program, args) : ['start'], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // 0: the help was asked for, and has been printed.
    if (error.exitCode !== 0) await fail(host, args[0] ?? '', new Error(toSentence(mistake)))
  }
  return host.exitCode
}

/** In production a service reports a mistake in its command line as a line of its log, like any other failed start. */
async function fail(host: Host, command: string, failure: Error): Promise<void> {
  const refuse = async () => {
    throw failure
  }
  return servingCommands.has(command) ? (await import('../as-server.ts')).asServer(host, refuse) : refuse()
}

/**
 * Turns `help keys create` into `keys create --help`, because commander's own `help` takes one word and is silent about an
 * unknown one. After an unknown command nothing is read, so that `--help` does not hide the mistake.
 */
function withHelpLast(program: Command, args: readonly string[]): readonly string[] {
  const path: string[] = []
  let command = program
  let asksForHelp = false
  for (const word of args) {
    if (word.startsWith('-') || command.commands.length === 0) break
    if (word === 'help') {
      asksForHelp = true
      continue
    }
    path.push(word)
    const found = command.commands.find((it) => it.name() === word)
    if (!found) return path
    command = found
  }
  return asksForHelp ? [...path, '--help'] : args
}

/** Commander begins its messages with "error: " and a small letter. */
function toSentence(message: string): string {
  const text = message.trim().replace(/^error: /, '')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
