/**
 * npm run check-backup     (as root on Linux; needs Debian's patroni, etcd-server, haproxy, postgresql and pgbackrest)
 *
 * deploy/pgbackrest on the nodes of deploy/patroni: a full backup from a standby under load, more load, then all nodes are
 * lost and the cluster is restored to a moment. What was acknowledged before it must be there once, nothing that came
 * after; timers must fire, `conserve` must be content, and what is sent again must be what the docs say.
 */
import { readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { runToEnd } from '../../chaos/lib/clean-up.ts'
import { patient } from '../../chaos/lib/patience.ts'
import { expectEqual, expectThat } from '../../chaos/lib/red.ts'
import { run } from '../../src/lib/files-of-user.ts'
import { withDatabase } from '../../test/find-postgres.ts'
import { until } from '../../test/postgres/children.ts'
import { ask, type PatroniCluster, startPatroni } from '../../test/postgres/patroni.ts'
import type { PatroniMember } from '../../test/postgres/patroni-member.ts'
import { checkRepeats, checkRestored } from './backup-oracle.ts'
import { bodyOf, countInbox, countOpen, install, listEvents, startLoad } from './installation.ts'
import { type Backups, startPgbackrest } from './pgbackrest.ts'

const say = (line: string) => console.log(line)
// The provider answers after 0.8 s; then the answer is recorded.
const recordMs = 5_000

await runToEnd(async () => {
  const cluster = await startPatroni({ archives: true })
  const leader = cluster.member((await cluster.untilWhole()).leader)
  const backups = await startPgbackrest(cluster)
  const installation = await install(cluster)
  const inside = withDatabase(cluster.adminUrl, 'tidings')
  const api = await installation.start('api')
  const worker = await installation.start('worker')
  const load = startLoad(installation, [api], { lanes: 4, pauseMs: 50, prefix: 'event' })
  await sleep(3_000)
  const from = await backups.take()
  expectThat(from.length > 0 && !from.includes(leader.name), `${leader.name} is primary, tables came from ${from}`)
  say(`full backup under load: tables copied from ${from}, a standby of ${leader.name}`)
  await sleep(20_000)
  const moment = Date.now()
  await sleep(15_000)
  await backups.untilArchived(cluster.adminUrl)
  await load.stop()

  // The disaster: all three nodes at once, and the processes too.
  await Promise.all(cluster.members.map((it) => it.kill()))
  await Promise.all([api.kill(), worker.kill()])
  const lostAt = Date.now()
  await restore(cluster, backups, { primary: leader, moment: new Date(moment) })
  await cluster.untilWhole()
  say(
    `restored to ${new Date(moment).toISOString()} and three nodes again after ${Math.round((Date.now() - lostAt) / 1000)} s`,
  )

  // As docs/operations.md says: first the API alone.
  const second = await installation.start('api')
  const events = await listEvents(inside)
  const waiting = await countOpen(inside)
  const [late] = await ask<{ count: number }>(
    inside,
    `select count(*)::int as count from job where status = 'delayed' and run_at > to_timestamp($1 / 1000.0)`,
    [moment],
  )
  const restoredAt = Date.now()
  expectEqual(
    installation.ledger.read('mail').filter(({ at }) => at >= restoredAt - 1_000).length,
    0,
    'sends without a worker',
  )
  await installation.start('worker')
  await until('nothing waits any more', patient(120_000), async () => (await countOpen(inside)) === 0)

  const inbox = await countInbox(inside)
  const acknowledged = load.acknowledged
  const faults = checkRestored(acknowledged, moment, { events, inbox })
  expectEqual(faults.length, 0, `the restored database is not as it was: ${faults.slice(0, 3).join('; ')}`)
  // The oracle must be able to see a wrong moment, in both directions.
  for (const wrong of [moment - 3_000, moment + 3_000]) {
    expectThat(
      checkRestored(acknowledged, wrong, { events, inbox }).length > 0,
      'the oracle does not see a wrong moment',
    )
  }
  const repeats = checkRepeats(installation.ledger.read('mail'), { events, moment, restoredAt, recordMs })
  expectEqual(repeats.faults.length, 0, `what was sent: ${repeats.faults.slice(0, 3).join('; ')}`)
  expectThat(repeats.again.length > 0 && (late?.count ?? 0) > 0, 'nothing was sent again, or no timer waited')
  say(await installation.conserve())
  const [kept, lost] = [
    acknowledged.filter(({ id }) => events.has(id)),
    acknowledged.filter(({ id }) => !events.has(id)),
  ]
  say(
    `${acknowledged.length} acknowledged: ${kept.length} before the moment and all there once, ${lost.length} after it and all gone; ${waiting} things waited at the moment, ${late?.count} of them timers, and all are done`,
  )
  say(
    `mails: ${repeats.once} known to be sent and not repeated, ${repeats.again.length} sent between the moment and the disaster and again after the restore (${repeats.sameId} of them with their first id), ${repeats.orphans} sent of events that are gone`,
  )

  // The last step: callers repeat everything they are not sure of, here all of it.
  for (const trigger of acknowledged) {
    const reply = await installation.call(second, 'POST', '/v1/events/trigger', bodyOf(trigger))
    expectEqual(reply.status, 201, `a repetition: ${reply.text}`)
  }
  await until('nothing waits any more', patient(120_000), async () => (await countOpen(inside)) === 0)
  const after = await countInbox(inside)
  const wrong = acknowledged.filter(({ id }) => after.get(id) !== 1)
  expectEqual(wrong.length, 0, `after the repetitions not there once, such as ${wrong[0]?.id}`)
  say(`all ${acknowledged.length} repeated with their transactionIds: each is there once`)
})

/** As deploy/pgbackrest/README.md says: one node, here another than the primary, is restored; the others are made from it. */
async function restore(
  cluster: PatroniCluster,
  backups: Backups,
  { primary, moment }: { primary: PatroniMember; moment: Date },
): Promise<void> {
  const [first, ...more] = cluster.members.filter((it) => it !== primary)
  if (!first) throw new Error('there is no node')
  await cluster.forget()
  for (const { data } of cluster.members) renameSync(data, `${data}.lost`)
  await run(cluster.user, 'mkdir', ['-m', '700', first.data])
  await backups.restore(first, moment)
  const { POSTGRES_BIN: bin = '' } = cluster.values
  // The configuration that comes with the backup is that of the node that was primary: its addresses, its folders.
  const own = [
    'listen_addresses=',
    `unix_socket_directories=${first.folder}`,
    `hba_file=${first.data}/pg_hba.conf`,
    `ident_file=${first.data}/pg_ident.conf`,
  ]
  const env = `PGBACKREST_CONFIG=${join(first.folder, 'pgbackrest.conf')}`
  const control = async (...args: string[]) => {
    const log = join(first.folder, 'restore.log')
    const all = ['-D', first.data, '-w', '-t', '120', '-l', log, ...args]
    await run(cluster.user, 'env', [env, join(bin, 'pg_ctl'), ...all]).catch((error: unknown) => {
      throw new Error(`${error}\n${readFileSync(log, 'utf8').slice(-3_000)}`)
    })
  }
  await control('-o', own.map((it) => `-c ${it}`).join(' '), 'start')
  await until('the end of recovery', patient(120_000), async () => {
    const asked = ['-h', first.folder, '-U', 'postgres', '-Atc', 'select pg_is_in_recovery()']
    return (await run(cluster.user, join(bin, 'psql'), asked)).trim() === 'f'
  })
  await control('stop', '-m', 'fast')
  first.start()
  await until('a leader', patient(60_000), async () => (await cluster.state()).leader)
  for (const { start, data } of [...more, primary]) {
    rmSync(`${data}.lost`, { recursive: true })
    start()
  }
}
