import { defineProvider, flag, optional, secret, text, url } from '../provider.ts'

export default defineProvider({
  id: 'generic-sms',
  channel: 'sms',
  displayName: 'SMS Webhook',
  credentials: {
    baseUrl: url,
    apiKeyRequestHeader: text,
    apiKey: secret,
    secretKeyRequestHeader: optional(text),
    secretKey: optional(secret),
    // where the reply holds the message id; "id" unless given
    idPath: optional(text),
    // where the reply holds the date; "date" unless given
    datePath: optional(text),
    // fetch a token from `domain` first
    authenticateByToken: flag,
    // the URL that gives the token
    domain: optional(url),
    // the header that carries the token
    authenticationTokenKey: optional(text),
    from: optional(text),
  },
})
