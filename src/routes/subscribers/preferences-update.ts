import { preferencesSchema, showPreferences } from '../../core/replies/preference-json.ts'
import { getSubscriber } from '../../core/subscribers/get-subscriber.ts'
import { changePreferences, preferencesPatch } from '../../core/subscribers/save-preferences.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'PATCH',
  path: '/v2/subscribers/{subscriberId}/preferences',
  summary: 'Change what a subscriber is told: by one workflow, or in general, and when',
  body: preferencesPatch,
  response: preferencesSchema,
  async handler({ db, env, now, params, body }) {
    const subscriber = await getSubscriber(db, env, params.subscriberId)
    await changePreferences(db, env, subscriber, body, now)
    return showPreferences(db, env, subscriber, 'nonCritical')
  },
})
