import { defineInboxStream } from '../../http/inbox/define-inbox-route.ts'

export default defineInboxStream({
  path: '/v1/inbox/stream',
  summary:
    'Server-sent events: notification_received, unread_count_changed and unseen_count_changed, the counts also at once',
})
