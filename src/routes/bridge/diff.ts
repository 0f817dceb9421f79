import { askWhichThere, bridgeUrl, findChanges, syncedSchema, toSynced } from '../../core/bridge/sync.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'POST',
  path: '/v1/bridge/diff',
  summary: 'What a sync with this bridge would change; nothing is changed',
  body: fields({ bridgeUrl }),
  response: syncedSchema,
  // Its reply may have 8 MB, and is waited for up to 20 s.
  isHeavy: () => true,
  beforeTransaction: { call: ({ ctx, env, body }) => askWhichThere(ctx, env, body.bridgeUrl) },
  async handler({ db, env, now, body, prepared }) {
    if (!prepared) throw new Error('the host calls beforeTransaction first')
    return toSynced(body.bridgeUrl, prepared, await findChanges({ db, env, now }, prepared))
  },
})
