import { type Static, Type } from 'typebox'
import { oneOf } from '../../lib/schemas.ts'
import { uuid7Time } from '../../lib/uuid7.ts'
import { environmentTypes, type OrganizationEnvironment } from '../../store/access/environments.ts'
import { slowedProperty } from '../sends/slowed-json.ts'

/** As public clients read it; `color`, `protected` and what is after them are our additions. */
export const listedEnvironmentSchema = Type.Object(
  {
    _id: Type.String(),
    _organizationId: Type.String(),
    name: Type.String(),
    identifier: Type.String({ description: 'Public: the applicationIdentifier of inbox components.' }),
    slug: Type.String({ description: 'Part of its address in the dashboard: /env/<slug>/workflows.' }),
    type: oneOf(environmentTypes, { description: 'dev: where things are made. prod: where they are published to.' }),
    _parentId: Type.Optional(
      Type.String({ description: 'What is published to it comes from there, unless another one is named.' }),
    ),
    color: Type.String(),
    protected: Type.Boolean({ description: 'Workflows, layouts and translations change only by publishing.' }),
    isElsewhere: Type.Boolean({ description: 'It lives in another cell.' }),
    createdAt: Type.String({ format: 'date-time' }),
    deletedAt: Type.Optional(Type.String({ format: 'date-time' })),
    purgedAfter: Type.Optional(
      Type.String({ format: 'date-time', description: 'Until then a deleted one can be restored.' }),
    ),
    ...slowedProperty,
  },
  { title: 'ListedEnvironment' },
)

export function toListedEnvironment(it: OrganizationEnvironment): Static<typeof listedEnvironmentSchema> {
  return {
    _id: it.id,
    _organizationId: it.organizationId,
    name: it.name,
    identifier: it.identifier,
    slug: it.slug,
    type: it.type,
    ...(it.parentId && { _parentId: it.parentId }),
    color: it.color,
    protected: it.protected,
    isElsewhere: it.isElsewhere,
    createdAt: uuid7Time(it.id).toISOString(),
    ...(it.deletedAt && { deletedAt: it.deletedAt.toISOString() }),
    ...(it.purgedAfter && { purgedAfter: it.purgedAfter.toISOString() }),
    ...(it.slowed && { slowed: it.slowed }),
  }
}

export const environmentName = Type.String({ minLength: 1, maxLength: 60, format: 'identifier' })
export const environmentColor = Type.String({ pattern: '^#[0-9A-Fa-f]{6}$', description: 'As in #2563eb.' })
