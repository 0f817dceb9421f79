import type pg from 'pg'
import { admin } from '../../test/find-postgres.ts'
import type { Cluster } from './cluster.ts'

/** For the whole cluster, at once, also for connections that are open. Answers what takes them back. */
export async function changeSettings(
  { adminUrl }: Cluster,
  settings: Readonly<Record<string, string>>,
): Promise<() => Promise<void>> {
  await admin(adminUrl, async (client) => {
    for (const [name, value] of Object.entries(settings)) await client.query(`alter system set ${name} = '${value}'`)
    await reload(client)
  })
  return () =>
    admin(adminUrl, async (client) => {
      for (const name of Object.keys(settings)) await client.query(`alter system reset ${name}`)
      await reload(client)
    })
}

async function reload(client: pg.Client): Promise<void> {
  await client.query('select pg_reload_conf()')
}
