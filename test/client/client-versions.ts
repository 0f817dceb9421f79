import * as pinned from '@novu/api'
import * as pinnedErrors from '@novu/api/models/errors/index.js'
import * as newest from '@novu/api-newest'
import * as newestErrors from '@novu/api-newest/models/errors/index.js'
import { expect } from 'vitest'
import { clientOperations } from '../../scripts/generated/client-operations.ts'
import { type ErrorCode, errorTable } from '../../src/errors.ts'

type Connection = {
  serverURL: string
  secretKey?: string
  /** Called for every call, before the client validates its reply. */
  onSuccess?: (method: string, path: string) => void
}

// Its default retries every 409 for an hour.
const retryConfig = { strategy: 'none' } as const

export const pinnedVersion = {
  version: pinned.SDK_METADATA.sdkVersion,
  operations: clientOperations('@novu/api', new pinned.Novu()),
  errors: pinnedErrors,
  open: ({ onSuccess, ...options }: Connection) =>
    new pinned.Novu({ ...options, retryConfig, httpClient: watched(new pinned.HTTPClient(), onSuccess) }),
}

export const newestVersion = {
  version: newest.SDK_METADATA.sdkVersion,
  operations: clientOperations('@novu/api-newest', new newest.Novu()),
  errors: newestErrors,
  open: ({ onSuccess, ...options }: Connection) =>
    new newest.Novu({ ...options, retryConfig, httpClient: watched(new newest.HTTPClient(), onSuccess) }),
}

/** The version that matches the specification, and the newest. Calls on either are calls on the union of both. */
export const versions = [pinnedVersion, newestVersion]

/** Against a server of the specification's own words, and against one that speaks the dialect. */
const servers = [
  { words: 'own words', dialect: false },
  { words: 'dialect', dialect: true },
]
export const spoken = versions.flatMap((version) => servers.map((server) => ({ ...version, ...server })))
export const newestSpoken = servers.map((server) => ({ ...newestVersion, ...server }))

type ResponseHooks = {
  addHook(hook: 'response', run: (response: { ok: boolean }, request: { method: string; url: string }) => void): unknown
}

function watched<C extends ResponseHooks>(httpClient: C, onSuccess: Connection['onSuccess']): C {
  httpClient.addHook('response', ({ ok }, { method, url }) => {
    if (ok) onSuccess?.(method, new URL(url).pathname)
  })
  return httpClient
}

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
