import { type Config, readSettings } from '../../config.ts'
import { refuseProtected } from '../../core/access/protected.ts'
import { type Applied, applyContent } from '../../core/content/apply-content.ts'
import { readContent } from '../../core/content/read-content.ts'
import { writeRecord } from '../../core/record/write-record.ts'
import { callServer } from '../../egress/call-server.ts'
import { ApiError, type FieldErrors } from '../../errors.ts'
import { createOutside } from '../../http/outside.ts'
import { isPlainObject } from '../../lib/canonical-json.ts'
import { type EnvironmentRow, listEnvironments } from '../../store/access/environments.ts'
import type { Database } from '../../store/database.ts'
import { commandEnv } from '../as-command.ts'
import { prepare } from '../prepare.ts'

/** The environment that a command works on: over HTTP with a key, or straight in its database. Both do the same. */
export type Door = {
  read(): Promise<unknown[]>
  /** Throws `ApiError`; of faults its errors name the entries as `resources.<place>`. */
  apply(resources: readonly unknown[], options: { dryRun: boolean }): Promise<Applied>
  close(): Promise<void>
}

export const doorOptions = {
  environment: { type: 'string' },
  url: { type: 'string' },
  key: { type: 'string' },
} as const
export type DoorValues = { environment?: string | undefined; url?: string | undefined; key?: string | undefined }

/** Where Tidings is, for who does not run it; and the service that is imported. */
export function readRemote(source = readSettings()) {
  return {
    url: source.TIDINGS_URL,
    key: source.TIDINGS_API_KEY,
    from: { url: source.IMPORT_URL, key: source.IMPORT_KEY },
    dataDir: source.DATA_DIR ?? '.data',
  }
}

/** By a URL, given or in the settings, or else by those of the service. */
export async function openDoor(settings: () => Config, values: DoorValues): Promise<Door> {
  const remote = readRemote()
  const url = values.url ?? remote.url
  if (!url) return openDatabaseDoor(settings(), values.environment)
  const key = values.key ?? remote.key
  if (!/^https?:\/\/\S+$/.test(url))
    throw new Error('The URL must begin with http:// or https://, as https://notify.example.com does.')
  if (!key) throw new Error('Which key? Set TIDINGS_API_KEY, or say --key <API key>.')
  return openHttpDoor(url, key, values.environment)
}

function openHttpDoor(url: string, key: string, environment: string | undefined): Door {
  const headers = {
    authorization: `ApiKey ${key}`,
    'tidings-replies': 'own',
    ...(environment && { 'tidings-environment': environment }),
  }
  const place = `${url.replace(/\/$/, '')}/v1/content`
  const call = async (method: 'GET' | 'POST', body?: string) => {
    const reply = await callServer(place, { method, headers, ...(body !== undefined && { body }) }).catch((error) => {
      throw new Error(`${url} cannot be reached (${error instanceof Error ? error.message : error}).`)
    })
    if (reply.status === 200 && isPlainObject(reply.body)) return reply.body
    throw refusalOf(url, reply.status, reply.body)
  }
  return {
    async read() {
      const { resources } = await call('GET')
      if (!Array.isArray(resources)) throw new Error(`${url} answers something else: is it an older version?`)
      return resources
    },
    // Our own reply, of the same version or a later one.
    apply: async (resources, { dryRun }) => (await call('POST', JSON.stringify({ dryRun, resources }))) as Applied,
    async close() {},
  }
}

function refusalOf(url: string, status: number, body: unknown): Error {
  if (!isPlainObject(body) || typeof body.message !== 'string') {
    return new Error(`${url} answers ${status}: is it the address of Tidings?`)
  }
  if (status !== 422 || !isPlainObject(body.errors)) return new Error(`${url} answers ${status}: ${body.message}`)
  // As every 422 of ours has them.
  return new ApiError('validation_failed', { message: body.message, errors: body.errors as FieldErrors })
}

async function openDatabaseDoor(config: Config, environment: string | undefined): Promise<Door> {
  const { ctx, close } = await prepare(config, () => {})
  try {
    const env = commandEnv(await pickEnvironment(ctx.database, environment), 'apply')
    return {
      async read() {
        const all: unknown[] = []
        for await (const portion of await readContent(ctx, env)) all.push(...portion)
        return all
      },
      apply(resources, options) {
        const { outside, repeat } = createOutside()
        return repeat(() =>
          ctx.database.write(env, async (db) => {
            if (!options.dryRun) await refuseProtected(db, env)
            const applied = await applyContent({ ctx, db, env, now: ctx.clock(), outside }, resources, options)
            await writeRecord(db, env, { action: 'content.apply' }, ctx.clock())
            return applied
          }),
        )
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** By id or slug; else the oldest. */
export async function pickEnvironment({ db }: Database, ref: string | undefined): Promise<EnvironmentRow> {
  const all = await listEnvironments(db)
  const named = all.filter(({ id, slug }) => id === ref || slug === ref)
  const [found] = ref === undefined ? all : named
  if (!found) throw new Error(`There is no environment ${ref}; npm start -- environments list shows them.`)
  if (ref !== undefined && named.length > 1)
    throw new Error(`Several organizations have an environment "${ref}": say its id.`)
  return found
}
