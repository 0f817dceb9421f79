import { getConnection } from '../../core/sign-in/change-connections.ts'
import { checkConnection, checkedSchema } from '../../core/sign-in/check-connection.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'POST',
  path: '/v1/organization/sign-in-connections/{connectionId}/check',
  summary: 'Ask the issuer of a sign-in connection what it is, and say what would keep people out',
  response: checkedSchema,
  beforeTransaction: {
    async call({ ctx, env, here, params }) {
      const connection = await ctx.database.read(env, (db) => getConnection(db, env, params.connectionId))
      return checkConnection(ctx, connection, here)
    },
  },
  async handler({ prepared }) {
    if (!prepared) throw new Error('the host calls beforeTransaction first')
    return prepared
  },
})
