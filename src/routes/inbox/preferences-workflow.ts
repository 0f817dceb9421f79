import { Type } from 'typebox'
import { inboxPreferenceSchema } from '../../core/replies/inbox-preference-json.ts'
import { toChangedPreferenceJson } from '../../core/replies/preference-json.ts'
import { changeManyPreferences, flatChoices, nestChoices } from '../../core/subscribers/save-preferences.ts'
import { ApiError } from '../../errors.ts'
import { defineInboxRoute } from '../../http/inbox/define-inbox-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineInboxRoute({
  method: 'PATCH',
  path: '/v1/inbox/preferences/{workflowId}',
  summary: 'Change what holds for one workflow, named by its id or identifier',
  body: fields(flatChoices),
  response: Type.Object({ data: inboxPreferenceSchema }),
  async handler({ db, env, now, params, body, person: { subscriber } }) {
    const preferences = [{ workflowId: params.workflowId, ...nestChoices(body) }]
    const [changed] = await changeManyPreferences(db, env, subscriber, { preferences }, now)
    if (!changed) throw new ApiError('workflow_not_found')
    return { data: toChangedPreferenceJson(changed) }
  },
})
