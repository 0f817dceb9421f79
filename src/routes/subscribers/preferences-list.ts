import { Type } from 'typebox'
import { criticalities, preferencesSchema, showPreferences } from '../../core/replies/preference-json.ts'
import { getSubscriber } from '../../core/subscribers/get-subscriber.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields, oneOf } from '../../lib/schemas.ts'

export default defineRoute({
  method: 'GET',
  path: '/v2/subscribers/{subscriberId}/preferences',
  summary: 'What a subscriber is told, on which channels and when: in general and for every active workflow',
  query: fields({ criticality: Type.Optional(oneOf(criticalities)) }),
  response: preferencesSchema,
  async handler({ db, env, params, query }) {
    const subscriber = await getSubscriber(db, env, params.subscriberId)
    return showPreferences(db, env, subscriber, query.criticality ?? 'nonCritical')
  },
})
