import { type Static, Type } from 'typebox'
import { fields, oneOf } from '../../lib/schemas.ts'

/** Spec 2.6. */
const filterTypes = ['BOOLEAN', 'TEXT', 'DATE', 'NUMBER', 'STATEMENT', 'LIST', 'MULTI_LIST', 'GROUP'] as const
const operators = [
  'LARGER',
  'SMALLER',
  'LARGER_EQUAL',
  'SMALLER_EQUAL',
  'EQUAL',
  'NOT_EQUAL',
  'ALL_IN',
  'ANY_IN',
  'NOT_IN',
  'BETWEEN',
  'NOT_BETWEEN',
  'LIKE',
  'NOT_LIKE',
  'IN',
] as const

const fieldFilterPart = fields({
  field: Type.String(),
  value: Type.String(),
  operator: oneOf(operators),
  on: oneOf(['subscriber', 'payload']),
})

/** As sent: only what the specification requires must be given. */
export const stepFilterInput = fields({
  isNegated: Type.Optional(Type.Boolean()),
  type: Type.Optional(oneOf(filterTypes)),
  value: Type.Optional(oneOf(['AND', 'OR'])),
  children: Type.Optional(Type.Array(fieldFilterPart, { maxItems: 100 })),
})

/** As stored and shown: complete. */
export const stepFilterSchema = Type.Object(
  {
    isNegated: Type.Boolean(),
    type: oneOf(filterTypes),
    value: oneOf(['AND', 'OR']),
    children: Type.Array(fieldFilterPart),
  },
  { title: 'StepFilter' },
)
export type StepFilter = Static<typeof stepFilterSchema>

export function completeFilter(filter: Static<typeof stepFilterInput>): StepFilter {
  return {
    isNegated: filter.isNegated ?? false,
    type: filter.type ?? 'GROUP',
    value: filter.value ?? 'AND',
    children: filter.children ?? [],
  }
}
