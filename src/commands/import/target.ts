import type { Config } from '../../config.ts'
import { callServer, NotWorthAnother, type ServerReply } from '../../egress/call-server.ts'
import { loadRoutes } from '../../http/load-routes.ts'
import { createServer } from '../../http/server.ts'
import { isPlainObject } from '../../lib/canonical-json.ts'
import { commandEnv } from '../as-command.ts'
import { pickEnvironment } from '../content/door.ts'
import type { Item } from '../from-novu/lists.ts'
import { createPatience, Stopped } from '../from-novu/patience.ts'
import { clean, readKey, unwrap, whyOf, withoutSlashes } from '../from-novu/source.ts'
import { prepare, printNewKey } from '../prepare.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH'

/** Our own service. Everything goes through its API, so that every rule of it holds. */
export type Target = {
  readonly name: string
  /** Of the environment that the key opens. */
  readonly environmentId: string
  /** Of the dashboard; null: it is not known. */
  readonly url: string | null
  /** What it answers, out of its wrapping. Throws `TargetRefusal`. */
  call(method: Method, path: string, body?: unknown): Promise<Item>
  /** Null when there is no such thing. */
  find(path: string): Promise<Item | null>
  close(): Promise<void>
}

export class TargetRefusal extends Error {
  readonly status: number
  readonly body: unknown
  constructor(status: number, body: unknown, message: string) {
    super(message)
    this.status = status
    this.body = body
  }
}

/** Whatever dialect the service speaks with others. */
const ownReplies = { 'tidings-replies': 'own' }

type Send = (method: Method, path: string, body: string | undefined) => Promise<ServerReply>
type Options = { lanes: number; stop: AbortSignal }

export function openRemoteTarget(url: string, givenKey: string, options: Options): Promise<Target> {
  // It is not told back: whoever swaps the two has given the key.
  if (!/^https?:\/\/\S+$/.test(url) || !URL.canParse(url))
    throw new Error('The address of Tidings is not a URL such as https://notify.example.com.')
  const key = readKey('--to-key', givenKey)
  const base = withoutSlashes(url)
  const headers = { authorization: `ApiKey ${key}`, ...ownReplies }
  // A half-written call is finished: what it changed is known then.
  const send: Send = (method, path, body) => callServer(base + path, { method, headers, body })
  return toTarget({ name: base, url: base, key, send, close: async () => {}, ...options })
}

/** Without an address: the same API, in this process, on the database of the settings. */
export async function openOwnTarget(
  config: Config,
  environment: string | undefined,
  options: Options,
): Promise<Target> {
  const quiet = config.logLevel === 'info' ? 'warn' : config.logLevel
  const prepared = await prepare({ ...config, logLevel: quiet }, () => {})
  const { ctx, close } = prepared
  try {
    printNewKey(prepared, (line) => console.error(line))
    const found = await pickEnvironment(ctx.database, environment)
    const env = commandEnv(found, 'import')
    const server = createServer(ctx, await loadRoutes(), async () => env)
    await server.ready()
    const send: Send = async (method, url, payload) => {
      const headers = { ...ownReplies, ...(payload !== undefined && { 'content-type': 'application/json' }) }
      const reply = await server.inject({ method, url, headers, ...(payload !== undefined && { payload }) })
      const body: unknown = reply.body === '' ? undefined : JSON.parse(reply.body)
      return { status: reply.statusCode, headers: toHeaders(reply.headers), body }
    }
    return await toTarget({
      name: `environment ${found.slug ?? found.id}`,
      url: config.publicUrl ?? null,
      key: null,
      send,
      async close() {
        await server.close()
        await close()
      },
      ...options,
    })
  } catch (error) {
    await close()
    throw error
  }
}

function toHeaders(headers: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}

type Way = { name: string; url: string | null; key: string | null; send: Send; close(): Promise<void> } & Options

/** Asks it who it is: whatever else answers under this address would be taken at its word. */
async function toTarget({ name, url, key, send, close, ...options }: Way): Promise<Target> {
  const patience = createPatience(options)
  const ask = async (method: Method, path: string, body?: unknown): Promise<ServerReply> => {
    const text = body === undefined ? undefined : JSON.stringify(body)
    return patience
      .call(() => send(method, path, text))
      .catch((error: unknown) => {
        if (error instanceof Stopped) throw error
        if (error instanceof NotWorthAnother) throw new Error(`${name}, ${path}: ${error.message}`)
        throw new Error(`${name} cannot be reached (${whyOf(error)}).`)
      })
  }
  const read = (path: string, { status, body }: ServerReply): Item => {
    const item = unwrap(body)
    if (status < 300 && isPlainObject(item)) return item
    if (status < 300 && Array.isArray(item)) return { data: item }
    if (status < 400 || !isPlainObject(body))
      throw new Error(
        `${name} answers ${status} without what we answer to ${path}: check that it is the address of Tidings.`,
      )
    const said = typeof body.message === 'string' ? body.message : 'no words'
    const message = key === null ? said : clean(said, key)
    if (status === 401) throw new Error(`${name} refuses its key. Is it a key of the environment to import into?`)
    if (status === 403) throw new Error(`${name} does not let this key do that: ${message}`)
    throw new TargetRefusal(status, body, `${name} answers ${status} to ${path}: ${message}`)
  }
  const { _id: environmentId } = read('/v1/environments/me', await ask('GET', '/v1/environments/me'))
  if (typeof environmentId !== 'string') throw new Error(`${name} does not answer as Tidings does: is it its address?`)
  return {
    name,
    environmentId,
    url,
    call: async (method, path, body) => read(path, await ask(method, path, body)),
    async find(path) {
      const reply = await ask('GET', path)
      return reply.status === 404 ? null : read(path, reply)
    },
    close,
  }
}
