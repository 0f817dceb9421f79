import { type Static, Type } from 'typebox'
import { nullable, oneOf } from '../../lib/schemas.ts'
import { roles } from '../../store/access/grants.ts'
import type { OwnOrganization } from '../../store/people/members.ts'
import type { FoundPersonSession, ShownSession } from '../../store/people/person-sessions.ts'

export const accountSchema = Type.Object(
  {
    personId: Type.String(),
    email: Type.String(),
    name: Type.String(),
    hasPassword: Type.Boolean(),
    twoFactor: Type.Boolean({ description: 'Signs in with a second proof besides the password.' }),
    recoveryCodesLeft: Type.Integer(),
    organizations: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        role: nullable(oneOf(roles, { description: 'Null: only something in some of its environments.' })),
        current: Type.Boolean({ description: 'This session is in it.' }),
      }),
      { description: 'The one used last comes first.' },
    ),
  },
  { title: 'Account' },
)

type Known = Pick<FoundPersonSession['person'], 'id' | 'email' | 'name' | 'hasPassword' | 'twoFactor'>

export function toAccountJson(
  { id, email, name, hasPassword, twoFactor }: Known,
  more: { recoveryCodesLeft: number; organizations: readonly OwnOrganization[]; currentId: string },
): Static<typeof accountSchema> {
  const { recoveryCodesLeft, organizations, currentId } = more
  return {
    ...{ personId: id, email, name, hasPassword, twoFactor, recoveryCodesLeft },
    organizations: organizations.map((it) => {
      return { id: it.id, name: it.name, role: it.role, current: it.id === currentId }
    }),
  }
}

export const ownSessionSchema = Type.Object(
  {
    id: Type.String(),
    current: Type.Boolean({ description: 'The one of this request.' }),
    organization: Type.Object({ id: Type.String(), name: Type.String() }),
    lastSeenAt: Type.String({ format: 'date-time', description: 'To the minute.' }),
    expiresAt: Type.String({ format: 'date-time' }),
    address: Type.Optional(Type.String({ description: 'Where it was opened.' })),
    agent: Type.Optional(Type.String({ description: 'The browser, as it calls itself.' })),
  },
  { title: 'OwnSession' },
)

export function toOwnSessionJson(it: ShownSession, currentId: string): Static<typeof ownSessionSchema> {
  return {
    id: it.id,
    current: it.id === currentId,
    organization: { id: it.organizationId, name: it.organizationName },
    lastSeenAt: it.lastSeenAt.toISOString(),
    expiresAt: it.expiresAt.toISOString(),
    ...(it.address !== null && { address: it.address }),
    ...(it.agent !== null && { agent: it.agent }),
  }
}
