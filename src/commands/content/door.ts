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
import { prepare, printNewKey } from '../prepare.ts'

/** The environment that a command works on: over HTTP with a key, or straight in its database. Both do the same. */
export type Door = {
  read(): Promise<unknown[]>
  /** Throws `ApiError`; of faults its errors name the entries as `resources.<place>`. */
  apply(resources: readonly unknown[], options: { dryRun: boolean }): Promise<Applied>
  close(): Promise<void>
}

export type EnvironmentOptions = { environment?: string; url?: string; key?: string }

/** The settings of commands that work over HTTP: where Tidings is, and the service that is imported. */
export function readRemote(source = readSettings()) {
  return {
    url: source.TIDINGS_URL,
    key: source.TIDINGS_API_KEY,
    from: { url: source.IMPORT_URL, key: source.IMPORT_KEY },
    dataDir: source.DATA_DIR ?? '.data',
  }
}

/** Returns the service to import from, which the options or the settings name. */
export function readOtherService(given: { url?: string; key?: string }): { url: string; key: string } {
  const { from } = readRemote()
  const [url, key] = [given.url ?? from.url, given.key ?? from.key]
  if (url && key) return { url, key }
  throw new Error('Name the other service: add --url and --key, or set IMPORT_URL and IMPORT_KEY.')
}

/** Opens the environment over HTTP if a URL is given or set, otherwise in the database of the settings. */
export async function openDoor(settings: () => Config, values: EnvironmentOptions): Promise<Door> {
  const remote = readRemote()
  const url = values.url ?? remote.url
  if (!url) return openDatabaseDoor(settings(), values.environment)
  const key = values.key ?? remote.key
  if (!/^https?:\/\/\S+$/.test(url))
    throw new Error('The URL must begin with http:// or https://, as https://notify.example.com does.')
  if (!key) throw new Error('No API key was given for this address. Set TIDINGS_API_KEY or add --key <API key>.')
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
      if (!Array.isArray(resources))
        throw new Error(`${url} did not send the content of an environment. It may run an older version of Tidings.`)
      return resources
    },
    // Our own reply, of the same version or a later one.
    apply: async (resources, { dryRun }) => (await call('POST', JSON.stringify({ dryRun, resources }))) as Applied,
    async close() {},
  }
}

function refusalOf(url: string, status: number, body: unknown): Error {
  if (!isPlainObject(body) || typeof body.message !== 'string') {
    return new Error(`${url} answers ${status}, which is not a reply of Tidings. Check the address.`)
  }
  if (status !== 422 || !isPlainObject(body.errors)) return new Error(`${url} answers ${status}: ${body.message}`)
  // As every 422 of ours has them.
  return new ApiError('validation_failed', { message: body.message, errors: body.errors as FieldErrors })
}

async function openDatabaseDoor(config: Config, environment: string | undefined): Promise<Door> {
  const prepared = await prepare(config, () => {})
  const { ctx, close } = prepared
  try {
    // On stderr, so that the output of `diff --json` stays JSON.
    printNewKey(prepared, (line) => console.error(line))
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

/** Finds an environment by its id or slug. Without either, returns the oldest one. */
export async function pickEnvironment({ db }: Database, ref: string | undefined): Promise<EnvironmentRow> {
  const all = await listEnvironments(db)
  const named = all.filter(({ id, slug }) => id === ref || slug === ref)
  const [found] = ref === undefined ? all : named
  if (!found) throw new Error(`There is no environment ${ref}; npm start -- environments list shows them.`)
  if (ref !== undefined && named.length > 1)
    throw new Error(`Several organizations have an environment "${ref}"; give its id instead.`)
  return found
}
