import type { FastifyError } from 'fastify'
import { ApiError, EnvironmentHeld, type HeldEnvironment } from '../errors.ts'
import { EncryptionKeyUnavailable } from '../lib/seal.ts'
import { OutcomeUnknown } from '../store/connect/database-away.ts'
import { isDatabaseUnavailable } from '../store/database.ts'

/** Turns anything thrown into the error that a caller may see; only the log gets the rest. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof OutcomeUnknown) return new ApiError('outcome_unknown', { retryAfterSeconds: 2 })
  if (error instanceof EnvironmentHeld) return heldReply(error.held)
  if (error instanceof EncryptionKeyUnavailable) {
    const message = 'This node cannot use its encryption keys right now. Try again as Retry-After says.'
    return new ApiError('service_unavailable', { retryAfterSeconds: 5, message })
  }
  if (isDatabaseUnavailable(error)) return new ApiError('service_unavailable', { retryAfterSeconds: 2 })
  if (isFastifyError(error)) {
    // A path parameter longer than any we store is an unknown id like others.
    if (error.statusCode === 414) return new ApiError('route_not_found')
    if (error.statusCode === 413) return new ApiError('body_too_large')
    if (error.statusCode === 415) return new ApiError('unsupported_media_type')
    if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
      return new ApiError('malformed_request')
    }
  }
  return new ApiError('internal_error')
}

function heldReply({ state, cell, generation }: HeldEnvironment): ApiError {
  // Of an arriving one too: it still lives there, unless who asks knows of a higher generation.
  const place = cell === null ? {} : { 'tidings-cell': cell, 'tidings-generation': String(generation) }
  // Only a deleted one has departed to nowhere (see migration 0042).
  if (state === 'departed' && cell === null)
    return new ApiError('unauthorized', { message: 'The environment of this key or session was deleted.' })
  if (state === 'departed') return new ApiError('wrong_cell', { headers: place })
  return new ApiError('environment_held', { retryAfterSeconds: 1, headers: { ...place, 'tidings-held': state } })
}

export function errorBody(error: ApiError, request: { id: string; path: string; now: Date }): string {
  return JSON.stringify({
    ...error.details.existing,
    statusCode: error.status,
    code: error.code,
    message: error.message,
    path: request.path,
    timestamp: request.now.toISOString(),
    requestId: request.id,
    errors: error.details.errors,
  })
}

/** Kept under an idempotency key: refusals caused by the request, not by the API key, a limit or a busy moment. */
export function isKeptRefusal(error: ApiError): boolean {
  const temporary = [401, 403, 413, 421, 429]
  const aboutTheKey = error.code === 'request_in_flight' || error.code === 'idempotency_key_reused'
  return error.status < 500 && !temporary.includes(error.status) && !aboutTheKey
}

function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('FST_')
}
