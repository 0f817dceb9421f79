import { type Static, Type } from 'typebox'
import type { Ctx } from '../../context.ts'
import { oneOf } from '../../lib/schemas.ts'
import { getInboxIdentity } from '../../store/access/environments.ts'
import type { Db, Env } from '../../store/database.ts'
import { currentEdition, firstDefaultLocale } from '../../store/wording/editions.ts'
import { slowedProperty } from '../sends/slowed-json.ts'
import { shownLocale } from '../translations/locales.ts'

export const environmentSchema = Type.Object(
  {
    _id: Type.String(),
    _organizationId: Type.String(),
    name: Type.String(),
    identifier: Type.String({ description: 'Public: the applicationIdentifier of inbox components.' }),
    defaultLocale: Type.String({
      description: 'Whose translations stand where a reader’s own language has none: en_US.',
    }),
    inbox: Type.Object({
      subscriberHash: oneOf(['required', 'optional']),
      hasSigningSecret: Type.Boolean(),
    }),
    ...slowedProperty,
  },
  { title: 'Environment' },
)

export async function showEnvironment(ctx: Ctx, db: Db, env: Env): Promise<Static<typeof environmentSchema>> {
  const identity = await getInboxIdentity(db, env)
  if (!identity) throw new Error('the environment of a key exists')
  return {
    _id: env.environmentId,
    _organizationId: env.organizationId,
    name: identity.name,
    identifier: identity.identifier,
    defaultLocale: shownLocale((await currentEdition(db, env))?.defaultLocale ?? firstDefaultLocale),
    ...(identity.slowed && { slowed: identity.slowed }),
    inbox: { subscriberHash: ctx.config.inboxHash, hasSigningSecret: identity.signingSecret !== null },
  }
}
