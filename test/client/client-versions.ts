import * as pinned from '@novu/api'
import * as pinnedErrors from '@novu/api/models/errors/index.js'
import * as newest from '@novu/api-newest'
import * as newestErrors from '@novu/api-newest/models/errors/index.js'
import { expect } from 'vitest'
import { type ErrorCode, errorTable } from '../../src/errors.ts'
import type { Route } from '../../src/http/load-routes.ts'

type Connection = {
  serverURL: string
  secretKey?: string
  /** Called for every call, before the client validates its reply. */
  onSuccess?: (method: string, path: string) => void
}

// Its default retries every 409 for an hour.
const retryConfig = { strategy: 'none' } as const

/** The version that matches the specification, and the newest. Calls on either are calls on the union of both. */
export const versions = [
  {
    version: pinned.SDK_METADATA.sdkVersion,
    errors: pinnedErrors,
    open: ({ onSuccess, ...options }: Connection) =>
      new pinned.Novu({ ...options, retryConfig, httpClient: watched(new pinned.HTTPClient(), onSuccess) }),
  },
  {
    version: newest.SDK_METADATA.sdkVersion,
    errors: newestErrors,
    open: ({ onSuccess, ...options }: Connection) =>
      new newest.Novu({ ...options, retryConfig, httpClient: watched(new newest.HTTPClient(), onSuccess) }),
  },
]

type ResponseHooks = {
  addHook(hook: 'response', run: (response: { ok: boolean }, request: { method: string; url: string }) => void): unknown
}

function watched<C extends ResponseHooks>(httpClient: C, onSuccess: Connection['onSuccess']): C {
  httpClient.addHook('response', ({ ok }, { method, url }) => {
    if (ok) onSuccess?.(method, new URL(url).pathname)
  })
  return httpClient
}

/** The routes without a successful call; a call is `GET /path`. */
export function routesNotCalled(routes: readonly Route[], succeeded: ReadonlySet<string>): string[] {
  const isCalled = ({ method, path }: Route) => {
    const pattern = new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
    return [...succeeded].some((call) => pattern.test(call))
  }
  return routes.filter((route) => !isCalled(route)).map((route) => route.name)
}

/** Neither version has an operation for these; the last one is the newest's, in client-edges.test.ts. */
const notOfClients = [
  'activity-stream',
  'api-keys-.*',
  'changes-.*',
  'channel-connections-oauth-callback',
  'content-.*',
  'dead-letters-.*',
  'dev-mailbox',
  'environment-.*',
  'environments-.*',
  'inbox-.*',
  'integrations-(callbacks|test|webhook-configure)',
  'layouts-.*',
  'members-.*',
  'notifications-messages',
  'numbers-.*',
  'organization-.*',
  'providers-list',
  'publications-.*',
  'sends-.*',
  'session-.*',
  'sign-in-connections-.*',
  'subscribers-(export|inbox-session)',
  'subscribers-device-tokens-delete',
  'suppressions-.*',
  'tenants-.*',
  'topics-subscriptions-(get|update)',
  'translations-.*',
  'unsubscribe-.*',
  'webhook-endpoints-.*',
  'webhooks-.*',
  'workflows-(preview|preview-send|compile-blocks|versions|step-preview)',
]
export const notInClient = new RegExp(`^(${notOfClients.join('|')})$`)

type ClientError = { statusCode: number; body: string }

/** The call is refused with this code, and the client reads the refusal as an error of this class. */
export async function refused<E extends ClientError>(
  call: Promise<unknown>,
  kind: abstract new (...args: never[]) => E,
  code: ErrorCode,
): Promise<E> {
  const error: unknown = await call.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof kind)) throw error ?? new Error(`accepted, not refused with ${code}`)
  const [status] = errorTable[code]
  expect(error.statusCode).toBe(status)
  expect(JSON.parse(error.body)).toMatchObject({ code, statusCode: status })
  return error
}

/** A cursor that must be there. */
export function cursor(given: string | null): string {
  if (given === null) throw new Error('the list ends here')
  return given
}

/** As our times look. */
export const time: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
