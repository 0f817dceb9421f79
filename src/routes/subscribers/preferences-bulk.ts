import { Type } from 'typebox'
import { changedPreferenceSchema, toChangedPreferenceJson } from '../../core/replies/preference-json.ts'
import { getSubscriber } from '../../core/subscribers/get-subscriber.ts'
import { bulkPreferencesPatch, changeManyPreferences } from '../../core/subscribers/save-preferences.ts'
import { defineRoute } from '../../http/define-route.ts'

export default defineRoute({
  method: 'PATCH',
  path: '/v2/subscribers/{subscriberId}/preferences/bulk',
  summary: 'Change what a subscriber is told by up to 100 workflows; all of it or nothing',
  body: bulkPreferencesPatch,
  response: Type.Array(changedPreferenceSchema),
  async handler({ db, env, now, params, body }) {
    const subscriber = await getSubscriber(db, env, params.subscriberId)
    const changed = await changeManyPreferences(db, env, subscriber, body, now)
    return changed.map(toChangedPreferenceJson)
  },
})
