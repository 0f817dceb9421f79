import type { TriggerEvent } from './api-types.ts'
import { type Body, type CallOptions, createRequest } from './request.ts'
import { resources } from './resources.ts'
import type { Patience } from './retries.ts'

export type * from './api-types.ts'
export { contextHash, subscriberHash } from './hashes.ts'
export type { CallOptions } from './request.ts'
export type { Patience } from './retries.ts'
export { TidingsError } from './tidings-error.ts'

export type TidingsOptions = {
  /** Where Tidings is. */
  url: string
  /** An API key: for servers only. */
  key: string
  patience?: Partial<Patience>
}

export type Tidings = ReturnType<typeof tidings>

/** Tidings as a server uses it. */
export function tidings({ url, key, patience }: TidingsOptions) {
  const request = createRequest(url, key, patience)
  return {
    request,
    /** One event to one or many recipients. */
    trigger: (event: Body<'POST /v1/events/trigger'>, options?: CallOptions) =>
      request('POST /v1/events/trigger', { body: event, ...options }),
    /** Up to 100 events; each is judged by itself, in the same order. */
    triggerBulk: (events: TriggerEvent[], options?: CallOptions) =>
      request('POST /v1/events/trigger/bulk', { body: { events }, ...options }),
    /** One event to everybody. */
    broadcast: (event: Body<'POST /v1/events/trigger/broadcast'>, options?: CallOptions) =>
      request('POST /v1/events/trigger/broadcast', { body: event, ...options }),
    /** Whoever was not reached yet will not be. */
    cancel: (transactionId: string) =>
      request('DELETE /v1/events/trigger/{transactionId}', { path: { transactionId } }),
    /** What an event would do: who would get what, when, and why not. Nothing is sent. */
    explain: (event: Body<'POST /v1/events/explain'>) => request('POST /v1/events/explain', { body: event }),
    /** The environment of the key, with the `identifier` that inboxes name. */
    environment: async () => (await request('GET /v1/environment')).data,
    ...resources(request),
  }
}
