import { defineProvider, optional, secret, text } from '../provider.ts'

/** Either OAuth client credentials (clientId, secretKey, domain) or the legacy password: no single field is always needed. */
export default defineProvider({
  id: 'outlook365',
  channel: 'email',
  displayName: 'Microsoft Outlook365',
  credentials: {
    clientId: optional(text),
    // client secret
    secretKey: optional(secret),
    // Entra tenant id or domain
    domain: optional(text),
    // legacy SMTP AUTH, being retired by Microsoft
    password: optional(secret),
    from: optional(text),
    senderName: optional(text),
  },
})
