import { Type } from 'typebox'
import { inboxPreferenceSchema, showGlobalPreference } from '../../core/replies/inbox-preference-json.ts'
import { defineInboxRoute } from '../../http/inbox/define-inbox-route.ts'

export default defineInboxRoute({
  method: 'GET',
  path: '/v1/inbox/preferences/global',
  summary: 'The choice that holds for all workflows, and the schedule',
  response: Type.Object({ data: inboxPreferenceSchema }),
  async handler({ db, env, person: { subscriber } }) {
    return { data: await showGlobalPreference(db, env, subscriber) }
  },
})
