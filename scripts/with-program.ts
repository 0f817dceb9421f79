import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { runToEnd, whenOver } from '../chaos/lib/clean-up.ts'
import { admin, findPostgres, withDatabase } from '../test/find-postgres.ts'

export type Program = { url: string; databaseUrl: string; key: string; child: ChildProcess; output: () => string }

/**
 * Runs `work` against the program itself, on a database of its own. Whatever happens, an error or Ctrl-C, no process and no
 * database stays behind. Ends this process.
 */
export async function withProgram(
  name: string,
  work: (program: Program) => Promise<void>,
  nodeOptions: readonly string[] = [],
): Promise<never> {
  return runToEnd(async () => work(await startProgram(name, nodeOptions)))
}

/** Ended by `runToEnd`, with its database. */
export async function startProgram(
  name: string,
  nodeOptions: readonly string[] = [],
  more: Record<string, string> = {},
): Promise<Program> {
  const postgres = await findPostgres()
  whenOver(postgres.stop)
  const database = `tidings_te_${name}_${process.pid}`
  whenOver(() => admin(postgres.url, (client) => client.query(`drop database if exists ${database} with (force)`)))
  await admin(postgres.url, (client) => client.query(`create database ${database}`))
  const databaseUrl = withDatabase(postgres.url, database)
  const key = `measure-${name}-key`
  const settings = {
    NODE_ENV: 'development',
    BOOTSTRAP_API_KEY: key,
    PORT: '0',
    LOG_LEVEL: 'warn',
    DASHBOARD: 'false',
    ...more,
  }
  const child = spawn(process.execPath, [...nodeOptions, join(import.meta.dirname, '../src/main.ts')], {
    env: { ...process.env, ...settings, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  whenOver(async () => {
    child.kill('SIGTERM')
    await ended
  })
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      output += chunk
      const found = /ready at (\S+) after/.exec(output)?.[1]
      if (found) resolve(found)
    })
    ended.then(([code]) => reject(new Error(`the program ended with ${code}:\n${output}`)))
  })
  return { url, databaseUrl, key, child, output: () => output }
}
