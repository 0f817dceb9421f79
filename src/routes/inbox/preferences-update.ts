import { Type } from 'typebox'
import { inboxPreferenceSchema, showGlobalPreference } from '../../core/replies/inbox-preference-json.ts'
import { changePreferences, flatChoices, nestChoices } from '../../core/subscribers/save-preferences.ts'
import { scheduleSchema } from '../../core/subscribers/schedule.ts'
import { defineInboxRoute } from '../../http/inbox/define-inbox-route.ts'
import { fields, nullable } from '../../lib/schemas.ts'

export default defineInboxRoute({
  method: 'PATCH',
  path: '/v1/inbox/preferences',
  summary: 'Change what holds for all workflows: channels, and when',
  body: fields({ ...flatChoices, schedule: Type.Optional(nullable(scheduleSchema)) }),
  response: Type.Object({ data: inboxPreferenceSchema }),
  async handler({ db, env, now, body, person: { subscriber } }) {
    const { schedule, ...flat } = body
    const patch = { ...nestChoices(flat), ...(schedule !== undefined && { schedule }) }
    await changePreferences(db, env, subscriber, patch, now)
    return { data: await showGlobalPreference(db, env, subscriber) }
  },
})
