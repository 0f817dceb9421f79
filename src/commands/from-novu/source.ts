import { callServer, NotWorthAnother, type ServerReply } from '../../egress/call-server.ts'
import { isPlainObject } from '../../lib/canonical-json.ts'
import { printable } from '../import/counts.ts'
import { NoAddress } from './address.ts'
import { createPatience, type Patience, Stopped } from './patience.ts'

export type Query = Record<string, string | number>

/** The service that is left. Only read. */
export type Source = {
  readonly url: string
  /** What it answers, out of its wrapping. Throws `SourceRefusal`, or an error that says what to do. */
  get(path: string, query?: Query): Promise<unknown>
  /** The same; null when there is no such thing. */
  find(path: string, query?: Query): Promise<unknown>
  readonly counts: Patience['counts']
}

export class SourceRefusal extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

type Options = { url: string; key: string; lanes: number; stop: AbortSignal; firstWaitMs?: number }

export function openSource({ url: given, key: givenKey, ...options }: Options): Source {
  const url = baseOf(given)
  const patience = createPatience(options)
  const key = readKey('--key', givenKey.replace(/^ApiKey\s+/i, ''))
  const headers = { authorization: `ApiKey ${key}` }
  async function get(path: string, query: Query = {}): Promise<unknown> {
    const search = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
    )
    const address = `${url}${path}${search.size > 0 ? `?${search}` : ''}`
    const reply = await patience
      .call(() => callServer(address, { method: 'GET', headers, signal: options.stop }))
      .catch((error: unknown) => {
        if (error instanceof Stopped) throw error
        if (error instanceof NotWorthAnother) throw new SourceRefusal(0, `${url}: GET ${path}: ${error.message}`)
        throw new Error(`${url} cannot be reached (${whyOf(error)}): GET ${path}. Is the address right, and is it up?`)
      })
    if (reply.status === 200 && reply.body !== undefined) return unwrap(reply.body)
    throw refusalOf(url, path, reply, (text) => clean(text, key))
  }
  return {
    url,
    get,
    async find(path, query) {
      try {
        return await get(path, query)
      } catch (error) {
        if (error instanceof SourceRefusal && error.status === 404) return null
        throw error
      }
    },
    counts: patience.counts,
  }
}

/** Clients are given the address without a version; some people add it. */
function baseOf(given: string): string {
  const url = URL.parse(given)
  // It is not told back: whoever swaps the two has given the key.
  if (!url || !/^https?:$/.test(url.protocol)) throw new Error('--url is not a URL such as https://api.example.com.')
  return withoutSlashes(url.origin + url.pathname).replace(/\/v[12]$/, '')
}

export function withoutSlashes(url: string): string {
  let end = url.length
  while (url[end - 1] === '/') end -= 1
  return url.slice(0, end)
}

/**
 * Some answer a thing bare, some as `{ data: thing }`. Pages of lists have other fields beside their `data`, and are as
 * they are either way.
 */
export function unwrap(body: unknown): unknown {
  if (!isPlainObject(body) || !Object.hasOwn(body, 'data')) return body
  return Object.keys(body).length === 1 ? body.data : body
}

function refusalOf(url: string, path: string, { status, body }: ServerReply, cleaned: (text: string) => string): Error {
  if (status === 401) {
    return new Error(`${url} refuses the key (401). Is it the secret key of the environment to be imported?`)
  }
  const said = isPlainObject(body) ? body.message : undefined
  const words = typeof said === 'string' ? `: ${cleaned(said).slice(0, 300)}` : ''
  if (body === undefined && status < 500) {
    return new SourceRefusal(
      status,
      cleaned(
        `${url} answers ${status} without JSON to GET ${path}: is it the address of the API, and not of the dashboard?`,
      ),
    )
  }
  return new SourceRefusal(status, cleaned(`${url} answers ${status} to GET ${path}${words}`))
}

/** What another server says goes to a terminal, and it knows the key. */
export function clean(text: string, key: string): string {
  return printable(text.replaceAll(key, '(the key)'))
}

/** Whatever else cannot be in a header, and no try would change that. */
export function readKey(option: string, given: string): string {
  const key = given.trim()
  if (!/^[!-~]+$/.test(key)) throw new Error(`${option} is no key: it has spaces, line ends or special letters in it.`)
  return key
}

/** Why one thing could not be read, while the rest can be; null: the reason concerns everything. */
export function whyUnread(error: unknown): string | null {
  return error instanceof SourceRefusal || error instanceof NoAddress ? error.message : null
}

export function whyOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error
  const { code, message } = Object(first)
  return String(code ?? message ?? first)
}
