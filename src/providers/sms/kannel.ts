import { readReply, sentWith } from '../outcome.ts'
import { defineProvider, host, named, optional, port, secret, text } from '../provider.ts'
import { formFields } from '../shared/form-fields.ts'
import { isGsmText } from '../shared/gsm-text.ts'

/** "Using HTTP to send SMS" in the user guide. It gives no ids. */
export default defineProvider({
  id: 'kannel',
  channel: 'sms',
  displayName: 'Kannel SMS',
  documentation: 'https://www.kannel.org/userguide.shtml',
  verified: 'client source',
  credentials: {
    host: named(host, 'Host of the smsbox'),
    port: named(port, 'Port of the smsbox', '“sendsms-port” in its configuration, often 13013.'),
    user: named(optional(text), 'Username', 'Of a group “sendsms-user” in its configuration.'),
    password: named(optional(secret), 'Password', 'Of that group.'),
    from: named(optional(text), 'Sender', 'The group may have a default.'),
  },

  async send({ credentials, message, http }) {
    const url = sendUrl(credentials.host, credentials.port)
    if (!url) return { kind: 'rejected', reason: 'the host or port is not valid', because: 'integration' }
    url.search = new URLSearchParams(
      formFields({
        from: message.from,
        to: message.to,
        text: message.content,
        charset: 'UTF-8',
        // 0: 7 bits, where other characters become question marks; 2: UCS-2
        coding: isGsmText(message.content) ? 0 : 2,
        ...message.overrides,
        username: credentials.user,
        password: credentials.password,
      }),
    ).toString()
    return readReply(await http({ method: 'GET', url: url.href }), {
      // "0: Accepted for delivery" and "3: Queued for later delivery"; old ones say "Sent."
      success: (reply) => (/^\s*(0:|3:|Sent)/.test(reply.text) ? { kind: 'sent' } : sentWith(undefined, reply)),
      failure: ({ status, text }) =>
        // The same status as for a wrong password, but about this number.
        status === 403 && text.includes('Not routable') ? { kind: 'rejected', reason: '403 Not routable' } : undefined,
    })
  },
})

function sendUrl(host: string, port: string): URL | null {
  const name = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  const isPlain = /^([\w.-]+|\[[\da-f:.]+\])$/i.test(name) && /^\d{1,5}$/.test(port)
  return isPlain ? URL.parse(`http://${name}:${port}/cgi-bin/sendsms`) : null
}
