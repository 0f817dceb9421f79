import { type Static, type TProperties, type TSchema, Type } from 'typebox'

/** A request object: other fields are removed before the handler sees it. */
export function fields<P extends TProperties>(properties: P, options: { minProperties?: number } = {}) {
  return Type.Object(properties, { ...options, additionalProperties: false })
}

/** `T or null` of the specification. */
export function nullable<T extends TSchema & { type?: unknown; enum?: readonly unknown[] }>(schema: T) {
  const values = schema.enum && { enum: [...schema.enum, null] }
  return Type.Unsafe<Static<T> | null>({ ...schema, type: [schema.type, 'null'], ...values })
}

export function oneOf<const T extends readonly string[]>(values: T, more: { description?: string } = {}) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...more })
}

/** Where the check and the reply stay loose: what the API description says in its place. */
export function describedAs<T extends TSchema>(schema: T, shown: TSchema) {
  return Type.Unsafe<Static<T>>({ ...schema, 'x-describedAs': shown })
}

/** A free-form JSON object. */
export const freeObject = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })

/** Spec 2.14, page-based. */
export function pageOf<T extends TSchema>(item: T) {
  return Type.Object({ ...pageProperties(item), totalCount: Type.Optional(Type.Integer()) })
}

/** Spec 2.14: the list of events is not counted. */
export function uncountedPageOf<T extends TSchema>(item: T) {
  return Type.Object(pageProperties(item))
}

/** A list, or its portions, which are loaded one by one while the reply is written. */
export function listOf<T extends TSchema>(item: T, options: { description?: string } = {}) {
  return Type.Unsafe<Static<T>[] | AsyncIterable<Static<T>[]>>(Type.Array(item, options))
}

function pageProperties<T extends TSchema>(item: T) {
  return { data: listOf(item), hasMore: Type.Boolean(), pageSize: Type.Integer(), page: Type.Integer() }
}

/** The parameters of every page-based list. */
export function pageQuery(maxLimit: number) {
  return { page: Type.Optional(Type.Integer({ minimum: 0, default: 0 })), limit: limitQuery(maxLimit) }
}

export function limitQuery(maxLimit: number, usual = 10) {
  return Type.Optional(Type.Integer({ minimum: 1, maximum: maxLimit, default: usual }))
}

/** Spec 2.14, cursor-based. */
export function cursorPageOf<T extends TSchema>(item: T) {
  return Type.Object({
    data: Type.Array(item),
    next: nullable(Type.String()),
    previous: nullable(Type.String()),
    totalCount: Type.Integer(),
    totalCountCapped: Type.Boolean(),
  })
}

/** Spec 4.0: the parameters of every cursor list. */
export function cursorQuery<const O extends readonly string[]>(orderBy: O, maxLimit = 100) {
  return {
    after: Type.Optional(Type.String({ description: 'Fetch what follows this cursor.' })),
    before: Type.Optional(Type.String({ description: 'Fetch what precedes this cursor.' })),
    limit: limitQuery(maxLimit),
    orderDirection: Type.Optional(oneOf(['ASC', 'DESC'])),
    orderBy: Type.Optional(oneOf(orderBy)),
    includeCursor: Type.Optional(Type.Boolean({ description: 'Include the item the cursor stands on.' })),
  }
}

export const errorSchema = Type.Object(
  {
    statusCode: Type.Integer(),
    code: Type.String({ description: 'A stable word for programs.' }),
    message: Type.String({ description: 'A sentence for people: what to do about it.' }),
    path: Type.String(),
    timestamp: Type.String({ format: 'date-time' }),
    requestId: Type.String(),
    errors: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        description: 'On 422: the field, what is wrong with it, and what was sent.',
        additionalProperties: {
          type: 'object',
          required: ['messages'],
          properties: { messages: { type: 'array', items: { type: 'string' } }, value: {} },
        },
      }),
    ),
  },
  { title: 'Error' },
)
