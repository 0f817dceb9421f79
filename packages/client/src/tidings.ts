import type {
  BroadcastEvent,
  CancelResult,
  Environment,
  Explanation,
  TriggerEvent,
  TriggerResult,
} from './api-types.ts'
import { readKey, readUrl } from './check-options.ts'
import { type CallOptions, createRequest, type Request } from './request.ts'
import { createResources, type Resources } from './resources.ts'
import { type Retrying, readRetryOptions } from './retries.ts'

export type * from './api-types.ts'
export { contextHash, subscriberHash } from './hashes.ts'
export type { CallInput, CallOptions, Operation, Request } from './request.ts'
export type * from './resources.ts'
export type { Patience, RetryOptions } from './retries.ts'
export { TidingsError } from './tidings-error.ts'

export interface TidingsOptions extends Retrying {
  /** The address of your Tidings service, such as `https://notify.example.com`. */
  url: string | undefined
  /** An API key. Keep it on your server, because it gives access to everything. */
  key: string | undefined
}

/** The client for servers. */
export interface Tidings extends Resources {
  /** Calls any operation of the API by its name. */
  request: Request
  /** Sends one event to one or several recipients. */
  trigger(event: TriggerEvent, options?: CallOptions): Promise<TriggerResult>
  /** Sends up to 100 events. Each has its own result, in the same order. */
  triggerBulk(events: TriggerEvent[], options?: CallOptions): Promise<TriggerResult[]>
  /** Sends one event to all subscribers. */
  broadcast(event: BroadcastEvent, options?: CallOptions): Promise<TriggerResult>
  /** Stops an event for everyone it has not reached yet. */
  cancel(transactionId: string, options?: CallOptions): Promise<CancelResult>
  /** Returns what an event would do, and sends nothing: who would get which message, when, and why someone would not. */
  explain(event: TriggerEvent): Promise<Explanation>
  /** Returns the environment of the API key, with the `identifier` that inboxes need. */
  environment(): Promise<Environment>
}

/** Creates the client for servers. Throws if the address or the key is missing or cannot be right. */
export function tidings(options: TidingsOptions): Tidings {
  const request = createRequest(
    readUrl('tidings', options?.url),
    readKey('tidings', options?.key),
    readRetryOptions('tidings', options),
  )
  return {
    request,
    trigger: (body, options) => request('POST /v1/events/trigger', { body, ...options }),
    triggerBulk: (events, options) => request('POST /v1/events/trigger/bulk', { body: { events }, ...options }),
    broadcast: (body, options) => request('POST /v1/events/trigger/broadcast', { body, ...options }),
    cancel: (transactionId, options) =>
      request('DELETE /v1/events/trigger/{transactionId}', { path: { transactionId }, ...options }),
    explain: (body) => request('POST /v1/events/explain', { body }),
    environment: async () => (await request('GET /v1/environment')).data,
    ...createResources(request),
  }
}
