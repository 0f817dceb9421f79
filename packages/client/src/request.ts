import { addressOf, type Query } from './address.ts'
import type { Operations } from './api-types.ts'
import { type Patience, usualPatience, withRetries } from './retries.ts'
import { send } from './send.ts'

/** Such as `GET /v2/topics/{topicKey}`. */
export type Operation = keyof Operations
export type Body<O extends Operation> = Operations[O] extends { body: infer B } ? B : never
export type QueryOf<O extends Operation> = Operations[O] extends { query?: infer Q } ? NonNullable<Q> : never
export type Reply<O extends Operation> = Operations[O]['reply']

export type CallOptions = {
  /** Calls with the same key take effect once, for 24 hours. Without one, each call makes its own for its tries. */
  idempotencyKey?: string | undefined
  /** Gives up. */
  signal?: AbortSignal | undefined
}

type Given<O extends Operation> = Omit<Operations[O], 'reply'> & CallOptions
/** `given` may be left out where nothing must be given. */
type Rest<O extends Operation> = Record<never, never> extends Given<O> ? [given?: Given<O>] : [given: Given<O>]

/** Any operation of the API, typed by its name: `request('GET /v2/topics/{topicKey}', { path: { topicKey } })`. */
export type Request = <O extends Operation>(operation: O, ...rest: Rest<O>) => Promise<Reply<O>>

type AnyGiven = CallOptions & { path?: Record<string, string>; query?: Query; body?: object }

export function createRequest(url: string, key: string, given: Partial<Patience> = {}): Request {
  const patience = { ...usualPatience, ...given }
  async function request(operation: string, given: AnyGiven = {}): Promise<unknown> {
    const [method = '', path = ''] = operation.split(' ')
    const address = addressOf(url, path, given.path, given.query)
    const headers = {
      authorization: `ApiKey ${key}`,
      // A server may speak another product's dialect to others.
      'tidings-replies': 'own',
      // With it a repeated call has no second effect; reading has none anyway.
      ...(method !== 'GET' && { 'idempotency-key': given.idempotencyKey ?? crypto.randomUUID() }),
    }
    const { body, signal } = given
    const attempt = (timeoutMs: number) => send({ url: address, method, headers, body, signal, timeoutMs })
    return withRetries(patience, attempt, signal)
  }
  // Which operation takes and gives what is said by the description of the API.
  return request as Request
}
