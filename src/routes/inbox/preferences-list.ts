import { Type } from 'typebox'
import { inboxPreferenceSchema, listInboxPreferences } from '../../core/replies/inbox-preference-json.ts'
import { criticalities } from '../../core/replies/preference-json.ts'
import { severities } from '../../core/workflows/workflow.ts'
import { defineInboxRoute } from '../../http/inbox/define-inbox-route.ts'
import { fields, oneOf } from '../../lib/schemas.ts'

export default defineInboxRoute({
  method: 'GET',
  path: '/v1/inbox/preferences',
  summary: 'What the person is told and on which channels: the global choice first, then every active workflow',
  query: fields({
    criticality: Type.Optional(oneOf(criticalities)),
    tags: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 50 })),
    severity: Type.Optional(Type.Array(oneOf(severities), { maxItems: 10 })),
  }),
  response: Type.Object({ data: Type.Array(inboxPreferenceSchema) }),
  async handler({ db, env, query, person: { subscriber } }) {
    const { criticality = 'nonCritical', ...rest } = query
    return { data: await listInboxPreferences(db, env, subscriber, { criticality, ...rest }) }
  },
})
