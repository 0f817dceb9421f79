import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { ApiError } from '../errors.ts'
import { bodyValidator, queryValidator } from '../lib/validate.ts'
import { loadRoutes } from './load-routes.ts'
import { serialize } from './write-json.ts'

/** Schemas are compiled on first use: without these tests a faulty one would fail the first request in production. */
const routes = await loadRoutes()

function errorOf(work: () => unknown): unknown {
  try {
    work()
    return null
  } catch (error) {
    return error
  }
}

describe('every schema of a route can be compiled', () => {
  test.each(routes.flatMap(({ name, body }) => (body ? [{ name, body }] : [])))('$name: body', ({ body }) => {
    // Every body schema refuses null, so both validators are compiled.
    expect(errorOf(() => bodyValidator(body)(null))).toBeInstanceOf(ApiError)
  })

  test.each(routes.flatMap(({ name, query }) => (query ? [{ name, query }] : [])))('$name: query', ({ query }) => {
    const error = errorOf(() => queryValidator(query)({}))
    if (error instanceof Error) expect(error).toBeInstanceOf(ApiError)
  })

  test('every response', async () => {
    const server = Fastify()
    const faults: string[] = []
    server.get('/', async (_request, reply) => {
      for (const { name, response } of routes) {
        const error = response && errorOf(() => reply.compileSerializationSchema(Object(response)))
        if (error instanceof Error) faults.push(`${name}: ${error.message}`)
      }
      return serialize(reply, { kept: 1, dropped: 2 }, { type: 'object', properties: { kept: { type: 'integer' } } })
    })
    const reply = await server.inject('/')
    expect(faults).toEqual([])
    expect(reply.body).toBe('{"kept":1}')
  })
})

test('a schema that cannot be compiled is a fault, not a refusal', () => {
  const faulty = { type: 'object', properties: { a: { type: 'rock' } } }
  expect(errorOf(() => bodyValidator(faulty)(null))).not.toBeInstanceOf(ApiError)
  expect(errorOf(() => queryValidator(faulty)({}))).not.toBeInstanceOf(ApiError)
})
