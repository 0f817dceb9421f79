import { type Static, Type } from 'typebox'
import { ApiError } from '../../errors.ts'
import { oneOf } from '../../lib/schemas.ts'
import type { FoundSession } from '../../store/access/sessions.ts'

export const sessionSchema = Type.Object(
  {
    environment: Type.Object({ id: Type.String(), name: Type.String() }),
    organization: Type.Object({ id: Type.String(), name: Type.Optional(Type.String()) }),
    signedInBy: oneOf(['key', 'link']),
    keyId: Type.Optional(Type.String()),
    expiresAt: Type.String({ format: 'date-time' }),
  },
  { title: 'Session' },
)

/** Throws `unauthorized` when there is no session to show. */
export function toSessionJson(session: FoundSession | null): Static<typeof sessionSchema> {
  if (!session) throw new ApiError('unauthorized', { message: 'Nobody is signed in here.' })
  return {
    environment: { id: session.environmentId, name: session.environmentName },
    organization: {
      id: session.organizationId,
      ...(session.organizationName !== null && { name: session.organizationName }),
    },
    signedInBy: session.apiKeyId === null ? 'link' : 'key',
    ...(session.apiKeyId !== null && { keyId: session.apiKeyId }),
    expiresAt: session.expiresAt.toISOString(),
  }
}
