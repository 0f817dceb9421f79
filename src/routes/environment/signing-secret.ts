import { randomBytes } from 'node:crypto'
import { Type } from 'typebox'
import { defineRoute } from '../../http/define-route.ts'
import { secretPlaces } from '../../lib/secret-places.ts'
import { setSigningSecret } from '../../store/access/environments.ts'

export default defineRoute({
  method: 'POST',
  path: '/v1/environment/signing-secret',
  summary: 'Make a new secret for hashes of the inbox, in place of the one before; it is shown only now',
  status: 201,
  response: Type.Object({ data: Type.Object({ signingSecret: Type.String() }) }),
  async handler({ ctx, db, env }) {
    const signingSecret = `ts_${randomBytes(32).toString('base64url')}`
    await setSigningSecret(db, env, ctx.sealer.seal(secretPlaces.signingSecret(env), signingSecret))
    return { data: { signingSecret } }
  },
})
