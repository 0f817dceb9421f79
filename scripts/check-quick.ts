/**
 * npm run check:quick: the check for a change that is not committed yet. Lint of what changed, types, and the tests
 * nearest to it; `npm run check` runs everything.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { nearestTests } from '../test/nearest-tests.ts'

const root = join(import.meta.dirname, '..')
const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
const tracked = git('ls-files')
const changed = [...new Set([...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '-o', '--exclude-standard')])]
const present = changed.filter((file) => existsSync(join(root, file)))

if (changed.length === 0) {
  console.log('Nothing has changed since the last commit.')
  process.exit(0)
}
console.log(`Changed: ${changed.join(', ')}`)

const linted = present.filter((file) => /\.(tsx?|json|css)$/.test(file))
if (linted.length > 0) run('biome', 'check', '--error-on-warnings', '--no-errors-on-unmatched', ...linted)

const programs = {
  dashboard: /^dashboard\//,
  'packages/client': /^packages\/client\//,
  browser: /^browser\//,
  site: /^site\//,
}
const isCode = (file: string) => /\.tsx?$/.test(file)
const special = Object.values(programs)
if (changed.some((file) => isCode(file) && !special.some((own) => own.test(file)))) run('tsc')
for (const [name, own] of Object.entries(programs)) {
  if (changed.some((file) => isCode(file) && own.test(file))) run('tsc', '-p', name)
}

const { tests, unseen } = nearestTests([...tracked, ...present], changed)
if (unseen.length > 0) console.log(`No test is near: ${unseen.join(', ')}`)
if (tests.length > 0) run('vitest', 'run', '--project', 'main', '--project', 'dashboard', ...tests)

function run(command: string, ...args: string[]): void {
  console.log(`\n=== ${command} ${args.join(' ')}`)
  const { status } = spawnSync(join(root, 'node_modules/.bin', command), args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
