/**
 * npm run check-install [-- <folder of a checkout>]: installs what the Dockerfile installs, by its own `npm ci` line, in a
 * temporary folder, and runs `version`, `migrate` and `api` there as the image does, without access to the rest of the checkout.
 * `npm run check-image` builds the image itself.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { runToEnd, whenOver } from '../../chaos/lib/clean-up.ts'
import { copiedFiles, readStages } from './dockerfile.ts'
import { productionSettings, report, runCommand, type Settings, startRole } from './production-program.ts'

const checkout = resolve(process.argv[2] ?? join(import.meta.dirname, '../..'))
const folder = mkdtempSync(join(tmpdir(), 'tidings-install-'))
whenOver(() => rmSync(folder, { recursive: true, force: true }))

await runToEnd(async () => {
  const stages = readStages(readFileSync(join(checkout, 'Dockerfile'), 'utf8'))
  // The image has the installed packages, and the files that the stages with the program copy.
  const install = stages.filter(({ name }) => name === 'dependencies')
  const program = stages.filter(({ name }) => name !== 'dashboard' && name !== 'dependencies')
  copy(copiedFiles(install))
  await runCommand(inFolder('sh', '-c'), [installLine(install)], {})
  copy(copiedFiles(program))

  const settings = await productionSettings('install')
  const node = inFolder(process.execPath, 'src/main.ts')
  await runCommand(node, ['version'], {})
  await runCommand(node, ['migrate'], settings)
  const api = await startRole(node, 'api', settings)
  await api.stop()
})

function installLine(stages: ReturnType<typeof readStages>): string {
  const lines = stages.flatMap(({ instructions }) => instructions.filter(({ name }) => name === 'RUN'))
  const [line] = lines
  if (lines.length !== 1 || !line?.text.startsWith('npm ci ')) {
    throw new Error('the stage "dependencies" of the Dockerfile must run one `npm ci`')
  }
  report(`the Dockerfile says: ${line.text}`)
  return line.text
}

function copy(files: { from: string; to: string }[]): void {
  if (files.length === 0) throw new Error('the Dockerfile copies nothing from the checkout')
  for (const { from, to } of files)
    cpSync(join(checkout, from), join(folder, to === './' ? from : to), { recursive: true })
}

/** Launches without the settings of this shell, except those of npm and its registry. */
function inFolder(program: string, ...first: string[]) {
  const kept = /^(PATH|HOME|TMPDIR|LANG|NODE_EXTRA_CA_CERTS|.*_proxy)$/i
  const shell = Object.fromEntries(Object.entries(process.env).filter(([name]) => kept.test(name)))
  return (args: string[], settings: Settings): ChildProcess =>
    spawn(program, [...first, ...args], {
      cwd: folder,
      env: { ...shell, NODE_ENV: 'production', NODE_COMPILE_CACHE: join(folder, '.compile-cache'), ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
}
