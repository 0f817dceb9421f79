import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export type FreshServer = {
  url: string
  /** The environment of a shell in which the commands of the guides find this server and its database. */
  shell: Record<string, string | undefined>
  stop(): Promise<void>
}

type Options = { folder: string; databaseUrl: string; settings: Record<string, string> }

/** The program as a newcomer starts it, in a folder of its own; ready, with the key that it printed. */
export async function startFreshServer({ folder, databaseUrl, settings }: Options): Promise<FreshServer> {
  const { username, hostname, port } = new URL(databaseUrl)
  const shell = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    NODE_ENV: 'development',
    DATABASE_URL: databaseUrl,
    DATABASE_POOL_SIZE: '4',
    PGUSER: username,
    PGHOST: hostname,
    PGPORT: port,
    DATA_DIR: join(folder, '.data'),
    DASHBOARD: 'false',
    ...settings,
  }
  const child = spawn(process.execPath, ['src/main.ts', 'start'], {
    cwd: folder,
    env: { ...shell, HOST: '127.0.0.1', PORT: '0' },
  })
  let said = ''
  const ended = once(child, 'close')
  const ready = Promise.withResolvers<void>()
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      said += text
      if (/ready at/.test(said) && /td_\w+/.test(said)) ready.resolve()
    })
  await Promise.race([
    ready.promise,
    ended.then(() => {
      throw new Error(`it ended before it was ready: ${said}`)
    }),
  ])
  return {
    url: /ready at (\S+) after/.exec(said)?.[1] ?? '',
    shell: { ...shell, KEY: /td_\w+/.exec(said)?.[0] },
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
