import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { ApiError, type ErrorCode, errorTable, invalidField, validationFailed } from '../errors.ts'
import { errorBody, isKeptRefusal, toApiError } from './error-reply.ts'

const codes = Object.keys(errorTable) as ErrorCode[]

function databaseError(code: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError('relation "secret_table" does not exist', 0, 'error'), { code })
}

function fastifyError(statusCode: number): Error {
  return Object.assign(new Error('inner text'), { code: 'FST_ERR_X', statusCode })
}

describe('toApiError', () => {
  test.each<[string, unknown, ErrorCode]>([
    ['a fault of ours', new ApiError('topic_not_found'), 'topic_not_found'],
    ['a bug', new TypeError('x is not a function'), 'internal_error'],
    ['a thrown text', 'text', 'internal_error'],
    ['nothing', undefined, 'internal_error'],
    ['a statement PostgreSQL refused', databaseError('42P01'), 'internal_error'],
    ['a broken constraint', databaseError('23505'), 'internal_error'],
    ['PostgreSQL shutting down', databaseError('57P01'), 'service_unavailable'],
    ['PostgreSQL starting', databaseError('57P03'), 'service_unavailable'],
    ['no connection left', databaseError('53300'), 'service_unavailable'],
    ['a lost connection', databaseError('08006'), 'service_unavailable'],
    ['a statement that took too long', databaseError('57014'), 'service_unavailable'],
    ['a refused connection', Object.assign(new Error('connect'), { syscall: 'connect' }), 'service_unavailable'],
    ['a full pool', new Error('timeout exceeded when trying to connect'), 'service_unavailable'],
    ['a connection cut', new Error('Connection terminated unexpectedly'), 'service_unavailable'],
    ['a file that is not there', Object.assign(new Error('open'), { syscall: 'open' }), 'internal_error'],
    ['a body too large', fastifyError(413), 'body_too_large'],
    ['an id too long', fastifyError(414), 'route_not_found'],
    ['a type of no use', fastifyError(415), 'unsupported_media_type'],
    ['another fault of the request', fastifyError(400), 'malformed_request'],
    ['a fault of the framework', fastifyError(500), 'internal_error'],
  ])('%s', (_name, thrown, code) => {
    const error = toApiError(thrown)
    expect(error.code).toBe(code)
    expect(error.message).toBe(errorTable[code][1])
    if (code === 'service_unavailable') expect(error.details.retryAfterSeconds).toBeGreaterThan(0)
  })
})

describe('errorBody', () => {
  const request = { id: 'r', path: '/p?q=1', now: new Date(0) }

  test('is the flat object clients parse, without what is not there', () => {
    expect(JSON.parse(errorBody(new ApiError('topic_not_found'), request))).toEqual({
      statusCode: 404,
      code: 'topic_not_found',
      message: errorTable.topic_not_found[1],
      path: '/p?q=1',
      timestamp: '1970-01-01T00:00:00.000Z',
      requestId: 'r',
    })
  })

  test('an existing resource shown beside it cannot take the place of the error', () => {
    const existing = { _id: 'x', key: 'k', statusCode: 200, code: 'ok', message: 'm', path: 'p', errors: 'e' }
    const body = JSON.parse(errorBody(new ApiError('topic_exists', { existing }), request))
    expect(body).toMatchObject({ _id: 'x', key: 'k', statusCode: 409, code: 'topic_exists', path: '/p?q=1' })
    expect(body).not.toHaveProperty('errors')
  })

  test('a 422 says in its message what the first fault is', () => {
    const error = validationFailed({ limit: { messages: ['must be <= 100'], value: 101 }, name: { messages: ['x'] } })
    expect(JSON.parse(errorBody(error, request))).toMatchObject({
      statusCode: 422,
      message: 'limit must be <= 100',
      errors: { limit: { messages: ['must be <= 100'], value: 101 }, name: { messages: ['x'] } },
    })
    expect(invalidField('a', 'is bad').details.errors).toEqual({ a: { messages: ['is bad'] } })
  })
})

describe('isKeptRefusal', () => {
  const passing = [401, 403, 413, 421, 429]
  test.each(codes)('%s', (code) => {
    const [status] = errorTable[code]
    const aboutTheKey = code === 'request_in_flight' || code === 'idempotency_key_reused'
    expect(isKeptRefusal(new ApiError(code))).toBe(status < 500 && !passing.includes(status) && !aboutTheKey)
  })
})

test('every code has one status of the contract and a sentence', () => {
  for (const code of codes) {
    const [status, text] = errorTable[code]
    expect([400, 401, 403, 404, 408, 409, 413, 415, 421, 422, 429, 431, 500, 503], code).toContain(status)
    expect(text, code).toMatch(/^[A-Z"_i].{10,}\.$/)
  }
})
