import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { commandPaths } from '../../../scripts/generated/command-paths.ts'
import { commandsPage, helpOf } from '../../../scripts/generated/commands-page.ts'
import { runProgram } from './run-program.ts'

const root = join(import.meta.dirname, '../../..')
const main = join(root, 'src/main.ts')
const folder = mkdtempSync(join(tmpdir(), 'tidings-cli-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const noSettings = () => {
  throw new Error('the settings were read')
}
const run = (...args: string[]) => runProgram(args, { settings: noSettings, print() {} })

describe('help', () => {
  const paths = commandPaths()

  test('names every command', () => {
    expect(paths.map((path) => path.join(' '))).toEqual([
      '',
      ...['start', 'api', 'worker', 'gateway', 'migrate', 'version', 'apply', 'diff', 'pull', 'import', 'compare'],
      ...['keys', 'keys create', 'keys list', 'keys revoke', 'people', 'people list', 'people link'],
      ...['tasks', 'tasks list', 'tasks retry', 'tasks drop', 'secrets', 'secrets reseal', 'conserve'],
      ...['environments', 'environments list', 'environments create', 'environments delete', 'environments restore'],
      ...['environments move', 'environments moves', 'environments forget', 'completion'],
    ])
  })

  test('each command says how to call it, describes every option, and reads no settings', async () => {
    let options = 0
    for (const path of paths) {
      const help = await helpOf(path)
      expect(help).toMatch(new RegExp(`^Usage: ${['tidings', ...path].join(' ')} `))
      const [, listed = ''] = /^Options:\n((?: .*\n?)+)/m.exec(help) ?? []
      for (const line of listed.matchAll(/^ {2}(-\S.*?)(?: {2,}(.*))?$/gm)) {
        expect(line[2], `${path.join(' ')} ${line[1]}`).toMatch(/\w+/)
        options += 1
      }
    }
    expect(options).toBe(76)
  })

  test('each command that runs ends with an example and with a section of the documentation that exists', async () => {
    const page = readFileSync(join(root, 'docs/commands.md'), 'utf8')
    const groups = new Set(paths.flatMap((path) => (path.length > 1 ? path[0] : [])))
    const leaves = paths.filter(([first = '', second]) => second !== undefined || !groups.has(first)).slice(1)
    expect(leaves).toHaveLength(29)
    for (const path of leaves) {
      const help = await helpOf(path)
      expect(help).toMatch(new RegExp(`\nExample:\n  tidings ${path.join(' ')}`))
      expect(help).toContain(`\nDocumentation: docs/commands.md#${path.join('-')} in the repository`)
      expect(page).toContain(`\n### ${path.join(' ')}\n`)
    }
  })

  test('`help` also shows the help of a command within a command', async () => {
    const shownBy = async (...args: string[]) => {
      const lines: string[] = []
      expect(await runProgram(args, { settings: noSettings, print: (line) => lines.push(line) })).toBe(0)
      return lines.join('\n')
    }
    const help = await shownBy('keys', 'create', '--help')
    expect(help).toMatch(/^Usage: tidings keys create /)
    expect(await shownBy('help', 'keys', 'create')).toBe(help)
    expect(await shownBy('keys', 'help', 'create')).toBe(help)
    expect(await shownBy('help')).toMatch(/^Usage: tidings \[command\]/)
  })

  test('docs/commands.md holds the help (npm run generate)', async () => {
    const page = readFileSync(join(root, 'docs/commands.md'), 'utf8')
    expect(await commandsPage(page)).toBe(page)
  })

  test('the program prints its own without settings or a database, in a process that would be refused', () => {
    const env = { PATH: process.env.PATH, DATABASE_URL: 'postgres://x@127.0.0.1:1/x', PORT: 'x' }
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'migrate', '--help'], {
      env,
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^Usage: tidings migrate \[options\]\n/)
  })
})

describe('a mistake in the command line', () => {
  test.each([
    [['strat'], "Unknown command 'strat'\n(Did you mean start?)\nFor help: tidings --help"],
    [['keys', 'creat'], "Unknown command 'creat'\n(Did you mean create?)\nFor help: tidings keys --help"],
    [['environment', 'list'], "Unknown command 'environment'\n(Did you mean environments?)\nFor help: tidings --help"],
    [['help', 'keys', 'creat'], "Unknown command 'creat'\n(Did you mean create?)\nFor help: tidings keys --help"],
    [['keys', 'help', 'creat'], "Unknown command 'creat'\n(Did you mean create?)\nFor help: tidings keys --help"],
    [['help', 'strat'], "Unknown command 'strat'\n(Did you mean start?)\nFor help: tidings --help"],
    [['strat', '--help'], "Unknown command 'strat'\n(Did you mean start?)\nFor help: tidings --help"],
    [['keys', 'creat', '-h'], "Unknown command 'creat'\n(Did you mean create?)\nFor help: tidings keys --help"],
    [['sing'], "Unknown command 'sing'\nFor help: tidings --help"],
    [['diff', 'x', '--jsn'], "Unknown option '--jsn'\n(Did you mean --json?)\nFor help: tidings diff --help"],
    [['start', '--json'], "Unknown option '--json'\nFor help: tidings start --help"],
    [['diff'], "Missing required argument 'folder'\nFor help: tidings diff --help"],
    [['diff', 'a', 'b'], "Too many arguments for 'diff'. Expected 1 argument but got 2: a, b."],
    [['apply', 'x', '--url'], "Option '--url <URL>' argument missing"],
    [['keys', 'create', '--scope', 'all'], "Option '--scope <scope>' argument 'all' is invalid. Allowed choices are"],
    [['keys', 'create', '--days', '1.5'], "argument '1.5' is invalid. It must be a whole number from 0 to 36500."],
    [['import'], "Required option '--from-novu' not specified"],
    [['import', '--from-novu', '--dry-run', '--verify'], "Option '--dry-run' cannot be used with option '--verify'"],
    [['import', '--from-novu', '--parallel', '65'], 'It must be a whole number from 1 to 64.'],
    [['compare', '--from-novu', '--last', '0'], 'It must be a whole number from 1 to 100000.'],
    [['environments', 'move', 'x', '--to', 'cb', '--give-up'], "cannot be used with option '--give-up'"],
    [['keys'], 'Usage: tidings keys [options] [command]'],
    [['completion', 'tcsh'], "'tcsh' is invalid for argument 'shell'. Allowed choices are bash, zsh, fish."],
  ])('%j is refused before the settings are read', async (args, message) => {
    await expect(run(...args)).rejects.toThrow(message)
  })

  test('ends the process with 1, and the message is on standard error', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'strat'], { encoding: 'utf8' })
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toBe("Unknown command 'strat'\n(Did you mean start?)\nFor help: tidings --help\n")
  })
})

test('without a command it is `start`, which reads the settings', async () => {
  await expect(run()).rejects.toThrow('the settings were read')
  await expect(run('version')).resolves.toBe(0)
})

describe('is called tidings', () => {
  // No registry answers at this address, because nothing may be fetched.
  const env = { ...process.env, npm_config_cache: folder, npm_config_registry: 'http://127.0.0.1:9' }

  test('by npx in a checkout, on the Node that npm ci installed', () => {
    const said = execFileSync('npx', ['tidings', 'version'], { cwd: root, env, encoding: 'utf8' })
    expect(said).toContain(`· Node ${process.versions.node}`)
  })

  test('by a link in PATH, as in the image', () => {
    const bin = join(folder, 'bin')
    mkdirSync(bin)
    symlinkSync(main, join(bin, 'tidings'))
    const PATH = [bin, join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter)
    expect(execFileSync('tidings', ['version'], { cwd: folder, env: { PATH }, encoding: 'utf8' })).toMatch(
      /^Tidings \d/,
    )
  })
})
