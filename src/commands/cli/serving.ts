import type { Command } from 'commander'
import type { Host } from '../host.ts'
import type { Role } from '../serve.ts'
import { addExample } from './add-example.ts'

const roles: Record<Role, string> = {
  start: 'Runs the API and a worker in one process. This is the default command.',
  api: 'Runs the API.',
  worker: 'Runs a worker, which does the background work: it expands events, sends messages and wakes timers.',
}

export const servingCommands: ReadonlySet<string> = new Set(['start', 'api', 'worker', 'gateway', 'migrate'])

/** The commands that run as a service or prepare one. In production they print nothing but log lines. */
export function addServing(program: Command, host: Host): void {
  const asServer = (work: (host: Host) => Promise<void>) => async () =>
    (await import('../as-server.ts')).asServer(host, work)
  for (const role of ['start', 'api', 'worker'] as const) {
    addExample(program.command(role).description(roles[role]), role).action(
      asServer(async (server) => (await import('../serve.ts')).serve(server, role)),
    )
  }
  const gateway = program
    .command('gateway')
    .description('Runs a gateway in front of several cells. It reads settings of its own and needs no database.')
  addExample(gateway, 'gateway').action(
    asServer(async (server) => (await import('../gateway.ts')).gatewayCommand(server)),
  )
  const migrate = program
    .command('migrate')
    .description('Brings the database up to date. `start`, `api` and `worker` do so, too, before they serve.')
  addExample(migrate, 'migrate').action(
    asServer(async (server) => (await import('../migrate.ts')).migrateCommand(server)),
  )
  const version = program
    .command('version')
    .description('Prints the versions of the program, of its tables and of Node. It reads no settings.')
  addExample(version, 'version').action(async () => (await import('../version.ts')).versionCommand(host.print))
}
