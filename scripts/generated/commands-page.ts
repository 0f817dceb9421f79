import { runProgram } from '../../src/commands/cli/run-program.ts'
import { commandPaths } from './command-paths.ts'

const start = '<!-- list: help -->\n'
const end = '<!-- end of list: help -->'

/** docs/commands.md with the help of every command between its markers. */
export async function commandsPage(page: string): Promise<string> {
  const [from, to] = [page.indexOf(start) + start.length, page.indexOf(end)]
  if (from < start.length || to < from) throw new Error('docs/commands.md has no place for the help of the commands')
  const sections = await Promise.all(commandPaths().map(section))
  return `${page.slice(0, from)}\n${sections.join('\n\n')}\n\n${page.slice(to)}`
}

async function section(path: string[]): Promise<string> {
  const help = await helpOf(path)
  return [...(path.length > 0 ? [`### ${path.join(' ')}`, ''] : []), '```text', help, '```'].join('\n')
}

/** The help as the program prints it. */
export async function helpOf(path: readonly string[]): Promise<string> {
  const printed: string[] = []
  const settings = () => {
    throw new Error('help needs no settings')
  }
  await runProgram([...path, '--help'], { settings, print: (line) => printed.push(line) })
  return printed.join('\n')
}
