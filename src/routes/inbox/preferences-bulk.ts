import { Type } from 'typebox'
import { inboxPreferenceSchema } from '../../core/replies/inbox-preference-json.ts'
import { toChangedPreferenceJson } from '../../core/replies/preference-json.ts'
import { toSubscriptionPreferenceJson } from '../../core/replies/subscription-json.ts'
import {
  changeManyPreferences,
  flatChoices,
  nestChoices,
  workflowRef,
} from '../../core/subscribers/save-preferences.ts'
import { changeSubscriptionPreferences } from '../../core/topics/change-preferences.ts'
import { preferenceChoice } from '../../core/topics/subscription-input.ts'
import { invalidField } from '../../errors.ts'
import { defineInboxRoute } from '../../http/inbox/define-inbox-route.ts'
import { fields } from '../../lib/schemas.ts'

const subscriptionIdentifier = Type.Optional(
  Type.String({
    maxLength: 512,
    description: "Changes what holds in this subscription to a topic, not the person's own.",
  }),
)

export default defineInboxRoute({
  method: 'PATCH',
  path: '/v1/inbox/preferences/bulk',
  summary: 'Change what holds for up to 100 workflows, all or none',
  body: fields({
    preferences: Type.Array(
      fields({
        workflowId: workflowRef,
        subscriptionIdentifier,
        condition: preferenceChoice.condition,
        ...flatChoices,
      }),
      { minItems: 1, maxItems: 100 },
    ),
  }),
  response: Type.Object({ data: Type.Array(inboxPreferenceSchema) }),
  async handler({ db, env, now, body, person }) {
    const own = body.preferences.filter((item) => item.subscriptionIdentifier === undefined)
    const ofSubscriptions = body.preferences.flatMap(
      ({ subscriptionIdentifier: ref, workflowId, enabled, condition }) => {
        if (ref === undefined) return []
        if (enabled === null) throw invalidField('enabled', 'must be true or false in a subscription')
        return { subscriptionIdentifier: ref, workflowId, enabled, condition }
      },
    )
    const preferences = own.map(({ workflowId, subscriptionIdentifier: _, condition: _unused, ...flat }) => ({
      workflowId,
      ...nestChoices(flat),
    }))
    const changed = own.length > 0 ? await changeManyPreferences(db, env, person.subscriber, { preferences }, now) : []
    const inSubscriptions = await changeSubscriptionPreferences(db, env, person, ofSubscriptions, now)
    return {
      data: [
        ...changed.map(toChangedPreferenceJson),
        ...inSubscriptions.map((it) => ({
          level: 'template' as const,
          channels: {},
          ...toSubscriptionPreferenceJson(it),
        })),
      ],
    }
  },
})
