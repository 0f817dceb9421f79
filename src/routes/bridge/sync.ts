import { Type } from 'typebox'
import { askWhichThere, bridgeUrl, syncBridge, syncedSchema } from '../../core/bridge/sync.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'POST',
  path: '/v1/bridge/sync',
  summary:
    'Ask the bridge which workflows its code has: they are there then, and those that it has no more are deleted',
  // Told by the published command; it says nothing here.
  query: Type.Object({ source: Type.Optional(Type.String({ maxLength: 100 })) }),
  body: fields({ bridgeUrl }),
  status: 201,
  response: syncedSchema,
  // Its reply may have 8 MB, and is waited for up to 20 s.
  isHeavy: () => true,
  beforeTransaction: { call: ({ ctx, env, body }) => askWhichThere(ctx, env, body.bridgeUrl) },
  async handler({ db, env, now, body, prepared }) {
    if (!prepared) throw new Error('the host calls beforeTransaction first')
    return syncBridge({ db, env, now }, body.bridgeUrl, prepared)
  },
})
