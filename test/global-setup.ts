import type pg from 'pg'
import type { TestProject } from 'vitest/node'
import { admin, findPostgres, isAlive, makeTemplate } from './find-postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The server for test databases, the migrated database they are cloned from, and the prefix of their names. */
    postgres: { url: string; template: string; databases: string; rlsRole: string }
  }
}

const template = `tidings_template_${process.pid}`
const databases = `tidings_test_${process.pid}_`
const rlsRole = 'tidings_rls_test'

export default async function setup(project: TestProject) {
  const server = await findPostgres()
  await admin(server.url, async (client) => {
    await dropLeftovers(client)
    await client.query(`create role ${rlsRole} login password 'rls'`).catch(() => {})
  })
  await makeTemplate(server.url, template, rlsRole)
  project.provide('postgres', { url: server.url, template, databases, rlsRole })
  return async () => {
    await admin(server.url, async (client) => {
      const { rows } = await client.query<{ datname: string }>(
        'select datname from pg_database where datname = $1 or starts_with(datname, $2)',
        [template, databases],
      )
      for (const { datname } of rows) await client.query(`drop database if exists "${datname}" with (force)`)
    })
    await server.stop()
  }
}

/** Left by runs that were killed. */
async function dropLeftovers(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ datname: string }>(`
    select datname from pg_database d where datname like 'tidings\\_te%'
      and not exists (select 1 from pg_stat_activity a where a.datname = d.datname)`)
  for (const { datname } of rows) {
    const pid = Number(/_(\d+)(_|$)/.exec(datname)?.[1])
    if (!isAlive(pid)) await client.query(`drop database if exists "${datname}"`).catch(() => {})
  }
}
