import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { ApiError, type FieldErrors } from '../errors.ts'
import { fields, freeObject, nullable, oneOf } from './schemas.ts'
import { bodyValidator, queryValidator } from './validate.ts'

function errorsOf(work: () => unknown): FieldErrors {
  try {
    work()
  } catch (error) {
    if (error instanceof ApiError && error.code === 'validation_failed') return error.details.errors ?? {}
    throw error
  }
  throw new Error('nothing was refused')
}

describe('queryValidator', () => {
  const read = queryValidator(
    fields({
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
      page: Type.Optional(Type.Integer({ minimum: 0 })),
      flag: Type.Optional(Type.Boolean()),
      name: Type.Optional(Type.String()),
      order: Type.Optional(oneOf(['ASC', 'DESC'])),
      ids: Type.Optional(Type.Array(Type.String())),
    }),
  )

  test.each<[string, Record<string, string | string[]>, object]>([
    ['integers in digits', { limit: '10', page: '007' }, { limit: 10, page: 7 }],
    ['booleans', { flag: 'true' }, { flag: true }],
    ['booleans', { flag: 'false' }, { flag: false }],
    ['booleans as 1', { flag: '1' }, { flag: true }],
    ['booleans as 0', { flag: '0' }, { flag: false }],
    ['text that looks like something else', { name: '12' }, { name: '12' }],
    ['text that looks like something else', { name: 'true' }, { name: 'true' }],
    ['a list by repeated key', { ids: ['a', 'b'] }, { ids: ['a', 'b'] }],
    ['a list by brackets', { 'ids[]': ['a', 'b'] }, { ids: ['a', 'b'] }],
    ['a list by both', { ids: 'a', 'ids[]': 'b' }, { ids: ['a', 'b'] }],
    ['a single value as a list of one', { ids: 'a' }, { ids: ['a'] }],
    ['a comma as part of a value', { ids: 'a,b' }, { ids: ['a,b'] }],
    ['empty values as absent', { limit: '', flag: '', name: '', ids: '', order: '' }, {}],
    ['an empty one beside a value as absent', { limit: ['', '5'], ids: ['', 'a'] }, { limit: 5, ids: ['a'] }],
    ['a scalar in brackets', { 'limit[]': '5' }, { limit: 5 }],
    ['unknown parameters as nothing', { other: '1', toString: 'x', 'limit[$gt]': '3' }, {}],
  ])('reads %s', (_name, query, value) => {
    expect(read(query)).toEqual(value)
  })

  test.each<[Record<string, string | string[]>, string]>([
    [{ limit: '0' }, 'limit'],
    [{ limit: '101' }, 'limit'],
    [{ limit: '1.0' }, 'limit'],
    [{ limit: '1e1' }, 'limit'],
    [{ limit: '+1' }, 'limit'],
    [{ limit: ' 1' }, 'limit'],
    [{ limit: '0x1' }, 'limit'],
    [{ limit: '١' }, 'limit'],
    [{ limit: ['1', '2'] }, 'limit'],
    [{ page: '-1' }, 'page'],
    [{ flag: 'TRUE' }, 'flag'],
    [{ flag: 'yes' }, 'flag'],
    [{ flag: '2' }, 'flag'],
    [{ flag: ['true', 'false'] }, 'flag'],
    [{ name: ['a', 'b'] }, 'name'],
    [{ name: 'a\0' }, 'name'],
    [{ ids: ['a', '\ud800'] }, 'ids'],
    [{ order: 'asc' }, 'order'],
  ])('refuses %o', (query, field) => {
    expect(Object.keys(errorsOf(() => read(query)))).toEqual([field])
  })

  test('names every fault at once', () => {
    expect(Object.keys(errorsOf(() => read({ limit: 'x', flag: 'x', order: 'x' }))).toSorted()).toEqual([
      'flag',
      'limit',
      'order',
    ])
  })
})

describe('bodyValidator', () => {
  const schema = fields({
    name: Type.String({ minLength: 1, maxLength: 5 }),
    email: Type.Optional(nullable(Type.String({ format: 'email' }))),
    list: Type.Optional(Type.Array(fields({ a: Type.Integer(), b: Type.Optional(Type.Array(Type.String())) }))),
    credentials: Type.Optional(fields({ apiKey: Type.Optional(Type.String()) })),
    configurations: Type.Optional(fields({ key: Type.Optional(Type.String()) })),
    data: Type.Optional(freeObject),
    'a/b~c': Type.Optional(Type.Integer()),
  })
  const check = bodyValidator(schema)
  const errors = (body: unknown) => errorsOf(() => check(body))

  test('takes out what the schema does not name, at every level but the free ones', () => {
    const body = { name: 'x', other: 1, list: [{ a: 1, other: 1 }], data: { other: 1 } }
    check(body)
    expect(body).toEqual({ name: 'x', list: [{ a: 1 }], data: { other: 1 } })
  })

  test('never coerces', () => {
    expect(Object.keys(errors({ name: 5 }))).toEqual(['name'])
    expect(Object.keys(errors({ name: 'x', list: [{ a: '1' }] }))).toEqual(['list.0.a'])
    expect(Object.keys(errors({ name: 'x', list: { a: 1 } }))).toEqual(['list'])
  })

  test.each<[string, unknown, FieldErrors]>([
    ['a text', { name: 'toolong' }, { name: { messages: [expect.any(String)], value: 'toolong' } }],
    ['a number', { name: 5 }, { name: { messages: ['must be string'], value: 5 } }],
    ['null', { name: null }, { name: { messages: ['must be string'], value: null } }],
    ['false', { name: false }, { name: { messages: ['must be string'], value: false } }],
    ['nothing where it is missing', {}, { name: { messages: ['is required'] } }],
    ['nothing of a list', { name: [['x']] }, { name: { messages: ['must be string'] } }],
    ['nothing of an object', { name: { a: 1 } }, { name: { messages: ['must be string'] } }],
    [
      'a nested place',
      { name: 'x', list: [{ a: 1 }, { a: 'y' }] },
      { 'list.1.a': { messages: ['must be integer'], value: 'y' } },
    ],
    ['a list in a list', { name: 'x', list: [[[1]]] }, { 'list.0': { messages: ['must be object'] } }],
    [
      'an inner list in a list',
      { name: 'x', list: [{ a: 1, b: [[['x']]] }] },
      { 'list.0.b.0': { messages: ['must be string'] } },
    ],
    [
      'nothing of a credential',
      { name: 'x', credentials: { apiKey: 5 } },
      { 'credentials.apiKey': { messages: ['must be string'] } },
    ],
    ['nothing of credentials', { name: 'x', credentials: 'secret' }, { credentials: { messages: ['must be object'] } }],
    [
      'nothing of a signing key',
      { name: 'x', configurations: { key: 5 } },
      { 'configurations.key': { messages: ['must be string'] } },
    ],
    ['the body itself', [], { body: { messages: ['must be object'] } }],
    [
      'a rule in words',
      { name: 'x', email: 'nobody' },
      { email: { messages: ['must be a valid e-mail address'], value: 'nobody' } },
    ],
    [
      'a field with odd characters',
      { name: 'x', 'a/b~c': 'y' },
      { 'a/b~c': { messages: ['must be integer'], value: 'y' } },
    ],
  ])('a fault shows %s', (_name, body, expected) => {
    expect(errors(body)).toEqual(expected)
  })

  test('a long value is shown by its beginning, in whole characters', () => {
    const value = errors({ name: `x${'🙂'.repeat(200)}` }).name?.value
    expect(value).toHaveLength(201)
    expect(String(value).isWellFormed()).toBe(true)
  })

  test('at most fifty faults are told', () => {
    expect(Object.keys(errors({ name: 'x', list: Array(1000).fill(1) }))).toHaveLength(50)
  })

  test('of a body of more than 10,000 values the first fault is told, and a valid one passes', () => {
    const list = (count: number, a: unknown) => ({ name: 'x', list: Array.from({ length: count }, () => ({ a })) })
    expect(Object.keys(errors(list(4_000, 'x')))).toHaveLength(50)
    expect(Object.keys(errors(list(6_000, 'x')))).toEqual(['list.0.a'])
    expect(() => check(list(6_000, 1))).not.toThrow()
    // Faults of one body are not reported for the next.
    expect(Object.keys(errors({ name: 5 }))).toEqual(['name'])
  })

  test('an enumeration says what it takes', () => {
    const choose = bodyValidator(fields({ on: oneOf(['subscriber', 'payload']) }))
    expect(errorsOf(() => choose({ on: 'x' }))).toEqual({
      on: { messages: ['must be one of: subscriber, payload'], value: 'x' },
    })
  })
})
