import { type Static, Type } from 'typebox'
import { isPlainObject } from '../../lib/canonical-json.ts'
import { fields, freeObject } from '../../lib/schemas.ts'
import { uuid7Time } from '../../lib/uuid7.ts'
import type { Db } from '../../store/database.ts'
import type { ContextName, ContextRow } from '../../store/values/contexts.ts'
import { noteChange } from '../record/note-change.ts'
import { maxContextBytes, maxContextChars } from '../subscribers/read-context.ts'

const data = { ...freeObject, 'x-maxJsonBytes': maxContextBytes }

export const newContextInput = fields({
  type: Type.String({
    minLength: 1,
    maxLength: maxContextChars,
    pattern: '^[^:]+$',
    format: 'identifier',
    description: 'What it is: tenant, app, region. Without ":".',
  }),
  id: Type.String({
    minLength: 1,
    maxLength: maxContextChars,
    format: 'identifier',
    description: 'Which one of its type.',
  }),
  data: Type.Optional(data),
})
export const contextPatchInput = fields({ data })

export const contextSchema = Type.Object(
  {
    type: Type.String(),
    id: Type.String(),
    data: freeObject,
    createdAt: Type.String({ format: 'date-time' }),
    updatedAt: Type.String({ format: 'date-time' }),
  },
  { title: 'Context' },
)

export function toContextJson(row: ContextRow): Static<typeof contextSchema> {
  return {
    type: row.type,
    id: row.identifier,
    data: isPlainObject(row.data) ? row.data : {},
    createdAt: uuid7Time(row.id).toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

export function noteContext(db: Db, { type, id }: ContextName, change: { before?: object; after?: object }): void {
  noteChange(db, { type: 'context', id: `${type}:${id}` }, change)
}
