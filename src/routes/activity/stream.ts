import { defineStream } from '../../http/define-stream.ts'

export default defineStream({
  path: '/v1/activity/stream',
  summary:
    'Server-sent events that say {"changed": cursor} when something changed in the environment, at most once a second',
  handler: ({ env, activity, lastEventId, isAllowed }) => activity.listen(env, { lastEventId, isAllowed }),
})
