import { defineProvider, optional, text, url } from '../provider.ts'

/** Defaults for alerts; the subscriber's own values win. */
export default defineProvider({
  id: 'grafana-on-call',
  channel: 'chat',
  displayName: 'Grafana On Call Webhook',
  usesSubscriberWebhook: true,
  credentials: {
    alertUid: optional(text),
    title: optional(text),
    imageUrl: optional(url),
    state: optional(text),
    externalLink: optional(url),
  },
})
