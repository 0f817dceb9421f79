import { addressOf, type Query } from './address.ts'
import type { Operations } from './api-types.ts'
import { type RetryOptions, withRetries } from './retries.ts'
import { send } from './send.ts'

/** The name of an operation, such as `GET /v2/topics/{topicKey}`. */
export type Operation = keyof Operations

/** The options of a single call. */
export type CallOptions = {
  /** Calls with the same key take effect once within 24 hours. By default each call has a key of its own. */
  idempotencyKey?: string | undefined
  /** Ends the call early. */
  signal?: AbortSignal | undefined
}

/** The path parameters, query and body of an operation, with the options of the call. */
export type CallInput<O extends Operation> = Omit<Operations[O], 'reply'> & CallOptions
/** The arguments after the name: the input is optional if the operation has no required part. */
type CallArguments<O extends Operation> =
  Record<never, never> extends CallInput<O> ? [input?: CallInput<O>] : [input: CallInput<O>]

/**
 * Calls any operation of the API. The name of the operation decides the types of the input and of the reply:
 * `request('GET /v2/topics/{topicKey}', { path: { topicKey } })`.
 */
export type Request = <O extends Operation>(operation: O, ...rest: CallArguments<O>) => Promise<Operations[O]['reply']>

type AnyInput = CallOptions & { path?: Record<string, string>; query?: Query; body?: object }

export function createRequest(url: string, key: string, retry: RetryOptions): Request {
  async function request(operation: string, input: AnyInput = {}): Promise<unknown> {
    const [method = '', path = ''] = operation.split(' ')
    const address = addressOf(url, path, input.path, input.query)
    const headers = {
      authorization: `ApiKey ${key}`,
      // A service that imitates another product's API sends its own replies to this client, as the types describe them.
      'tidings-replies': 'own',
      // The key lets a call be repeated without a second effect. Reading needs none.
      ...(method !== 'GET' && { 'idempotency-key': input.idempotencyKey ?? crypto.randomUUID() }),
    }
    const { body, signal } = input
    const attempt = (timeoutMs: number) => send({ url: address, method, headers, body, signal, timeoutMs })
    return withRetries(retry, attempt, signal)
  }
  // The types come from the description of the API, which the service's own tests compare with its replies.
  return request as Request
}
