import { type Static, Type } from 'typebox'
import { isPlainObject } from '../../lib/canonical-json.ts'
import { fields, freeObject, nullable } from '../../lib/schemas.ts'
import { uuid7Time } from '../../lib/uuid7.ts'
import type { Env } from '../../store/database.ts'
import type { TenantRow } from '../../store/tenants.ts'

const identifier = Type.String({ minLength: 1, maxLength: 255, format: 'identifier' })
const details = { name: Type.Optional(nullable(Type.String())), data: Type.Optional(nullable(freeObject)) }

export const newTenantInput = fields({ identifier, ...details })
export const tenantPatchInput = fields({ identifier: Type.Optional(identifier), ...details })

export const tenantSchema = Type.Object(
  {
    _id: Type.String(),
    identifier: Type.String(),
    name: Type.Optional(Type.String()),
    data: Type.Optional(freeObject),
    _environmentId: Type.String(),
    createdAt: Type.String({ format: 'date-time' }),
    updatedAt: Type.String({ format: 'date-time' }),
  },
  { title: 'Tenant' },
)

export function toTenantJson(env: Env, row: TenantRow): Static<typeof tenantSchema> {
  return {
    _id: row.id,
    identifier: row.identifier,
    ...(row.name !== null && { name: row.name }),
    ...(isPlainObject(row.data) && { data: row.data }),
    _environmentId: env.environmentId,
    createdAt: uuid7Time(row.id).toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}
