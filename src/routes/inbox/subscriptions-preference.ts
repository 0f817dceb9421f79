import { Type } from 'typebox'
import { subscriptionPreferenceSchema, toSubscriptionPreferenceJson } from '../../core/replies/subscription-json.ts'
import { changeSubscriptionPreferences } from '../../core/topics/change-preferences.ts'
import { preferenceChoice } from '../../core/topics/subscription-input.ts'
import { ApiError } from '../../errors.ts'
import { defineInboxRoute } from '../../http/inbox/define-inbox-route.ts'
import { fields } from '../../lib/schemas.ts'

export default defineInboxRoute({
  method: 'PATCH',
  path: '/v1/inbox/subscriptions/{identifier}/preferences/{workflowId}',
  summary: "Change what holds for one workflow in one's own subscription",
  // Clients also send the channels, each with the value of `enabled`: they say nothing of their own.
  body: fields(preferenceChoice),
  response: Type.Object({ data: subscriptionPreferenceSchema }),
  async handler({ db, env, now, params: { identifier, workflowId }, body, person }) {
    const change = { subscriptionIdentifier: identifier, workflowId, ...body }
    const [changed] = await changeSubscriptionPreferences(db, env, person, [change], now)
    if (!changed) throw new ApiError('workflow_not_found')
    return { data: toSubscriptionPreferenceJson(changed) }
  },
})
