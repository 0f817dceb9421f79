import { Type } from 'typebox'
import { inboxPreferenceSchema } from '../../core/replies/inbox-preference-json.ts'
import { toChangedPreferenceJson } from '../../core/replies/preference-json.ts'
import {
  changeManyPreferences,
  flatChoices,
  nestChoices,
  workflowRef,
} from '../../core/subscribers/save-preferences.ts'
import { defineInboxRoute } from '../../http/inbox/define-inbox-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineInboxRoute({
  method: 'PATCH',
  path: '/v1/inbox/preferences/bulk',
  summary: 'Change what holds for up to 100 workflows, all or none',
  body: fields({
    preferences: Type.Array(fields({ workflowId: workflowRef, ...flatChoices }), { minItems: 1, maxItems: 100 }),
  }),
  response: Type.Object({ data: Type.Array(inboxPreferenceSchema) }),
  async handler({ db, env, now, body, person: { subscriber } }) {
    const preferences = body.preferences.map(({ workflowId, ...flat }) => ({ workflowId, ...nestChoices(flat) }))
    const changed = await changeManyPreferences(db, env, subscriber, { preferences }, now)
    return { data: changed.map(toChangedPreferenceJson) }
  },
})
