import { type Static, Type } from 'typebox'
import { fields, oneOf } from '../../lib/schemas.ts'
import { uuid7Time } from '../../lib/uuid7.ts'

/** What stands in place of a secret value. */
export const secretMask = '••••••••'

const key = Type.String({
  maxLength: 255,
  pattern: '^[A-Za-z][A-Za-z0-9_]*$',
  description: 'As templates say it: {{env.KEY}}. Letters, digits and underscores.',
})
const details = {
  type: Type.Optional(oneOf(['string'])),
  isSecret: Type.Optional(Type.Boolean({ description: 'It is masked in replies, for ever.' })),
  values: Type.Optional(
    Type.Array(fields({ _environmentId: Type.String(), value: Type.String({ maxLength: 2_000 }) }), {
      maxItems: 200,
      description: 'One for each environment; those that are not named keep theirs.',
    }),
  ),
}

export const newVariableInput = fields({ key, ...details })
export const variablePatchInput = fields({ key: Type.Optional(key), ...details }, { minProperties: 1 })
export type NewVariable = Static<typeof newVariableInput>
export type VariablePatch = Static<typeof variablePatchInput>

export const variableSchema = Type.Object(
  {
    _id: Type.String(),
    _organizationId: Type.String(),
    key: Type.String(),
    type: Type.Literal('string'),
    isSecret: Type.Boolean(),
    values: Type.Array(Type.Object({ _environmentId: Type.String(), value: Type.String() }), {
      description: `In the environments that the caller can get at. A secret shows as ${secretMask}.`,
    }),
    createdAt: Type.String({ format: 'date-time' }),
    updatedAt: Type.String({ format: 'date-time' }),
  },
  { title: 'EnvironmentVariable' },
)

/** The same key in one or several environments. `value`: open; null: it has none there. */
export type Variable = {
  id: string
  organizationId: string
  key: string
  isSecret: boolean
  values: readonly { environmentId: string; value: string | null }[]
  updatedAt: Date
}

export function toVariableJson(it: Variable): Static<typeof variableSchema> {
  return {
    _id: it.id,
    _organizationId: it.organizationId,
    key: it.key,
    type: 'string',
    isSecret: it.isSecret,
    values: it.values.flatMap(({ environmentId, value }) =>
      value === null ? [] : [{ _environmentId: environmentId, value: it.isSecret ? secretMask : value }],
    ),
    createdAt: uuid7Time(it.id).toISOString(),
    updatedAt: it.updatedAt.toISOString(),
  }
}
