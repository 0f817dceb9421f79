import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startPrivatePostgres } from '../src/private-postgres.ts'

/** TEST_DATABASE_URL or DATABASE_URL, else one on this machine, else (or with TEST_POSTGRES=private) one of our own. */
export async function findPostgres(): Promise<{ url: string; stop(): Promise<void> }> {
  const given = process.env.TEST_DATABASE_URL ?? process.env.DATABASE_URL
  const isPrivate = process.env.TEST_POSTGRES === 'private'
  const local = isPrivate ? [] : ['postgres', 'root'].map((user) => `postgres://${user}@127.0.0.1:5432/postgres`)
  for (const url of given ? [given] : local) {
    const found = await admin(url, async () => url).catch((error: unknown) => {
      if (given) throw new Error(`no PostgreSQL answers at ${new URL(url).host}`, { cause: error })
      return null
    })
    if (found) return { url: found, stop: async () => {} }
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'tidings-test-'))
  // Run by root, PostgreSQL is another user, who must be able to enter; else its data would go elsewhere and stay there.
  chmodSync(dataDir, 0o755)
  const postgres = await startPrivatePostgres({ dataDir, say: () => {} })
  return {
    url: postgres.url,
    async stop() {
      await postgres.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** One connection, for what no pool is needed for. */
export async function admin<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000 })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export function withDatabase(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.href
}
