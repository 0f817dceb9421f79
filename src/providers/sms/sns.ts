import type { SmsMessage } from '../message.ts'
import { type Outcome, readCheck, readReply, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, secret, text, where } from '../provider.ts'
import { signAws } from '../shared/aws-signature.ts'
import { formFields } from '../shared/form-fields.ts'

export default defineProvider({
  id: 'sns',
  channel: 'sms',
  displayName: 'SNS',
  documentation: 'https://docs.aws.amazon.com/sns/latest/api/API_Publish.html',
  verified: 'documentation in part',
  credentials: {
    apiKey: named(secret, 'Access key ID', 'Of an IAM user that may call sns:Publish.'),
    secretKey: named(secret, 'Secret access key', 'Shown once, when the access key is made.'),
    region: named(where(text), 'Region', 'Like eu-west-1.'),
    from: named(optional(text), 'Sender ID', 'A name, or the origination number in digits.'),
  },

  async send({ credentials, message, http, now }) {
    const request = signed(credentials, now, {
      Action: 'Publish',
      Version: '2010-03-31',
      PhoneNumber: message.to,
      Message: message.content,
      ...attributes(message),
      ...message.overrides,
    })
    if (!request) return { kind: 'rejected', reason: badRegion, because: 'integration' }
    return readReply(await http(request), {
      success: (reply) => sentWith(/<MessageId>([^<]+)<\/MessageId>/.exec(reply.text)?.[1], reply),
      failure: ({ status, text }) => readError(status, text),
    })
  },

  async check({ credentials, http, now }) {
    const request = signed(credentials, now, { Action: 'GetSMSAttributes', Version: '2010-03-31' })
    return request ? readCheck(await http(request)) : { kind: 'refused', reason: badRegion }
  },
})

const badRegion = 'the region is not one of AWS: write it like eu-west-1'

type Account = { apiKey: string; secretKey: string; region: string }

function signed({ apiKey, secretKey, region }: Account, now: Date, fields: Record<string, unknown>) {
  if (!/^[a-z0-9-]+$/.test(region)) return undefined
  const url = `https://sns.${region}.amazonaws.com/`
  const body = new URLSearchParams(formFields(fields)).toString()
  const headers = signAws({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body,
    region,
    service: 'sns',
    accessKeyId: apiKey,
    secretAccessKey: secretKey,
    now,
  })
  return { url, headers, body }
}

type Attribute = { is: string[]; name: string; value: string }

/**
 * https://docs.aws.amazon.com/sns/latest/dg/sms_publish-to-phone.html: a name is a sender id, a number is our own; and
 * a message is promotional unless the account or the call says otherwise. Ours take the numbers that the trigger's own
 * attributes leave free, and stay away where it gives the same one.
 */
function attributes({ from, overrides }: SmsMessage): Record<string, string> {
  const ofTrigger = Object.entries(overrides).flatMap(([key, value]) => {
    const number = /^MessageAttributes\.entry\.(\d+)\.Name$/.exec(key)?.[1]
    return number === undefined ? [] : [{ number: Number(number), name: String(value) }]
  })
  const taken = new Set(ofTrigger.map(({ number }) => number))
  const ours = [...sender(from), smsType].filter(({ is }) => !ofTrigger.some(({ name }) => is.includes(name)))
  const free = Array.from({ length: ours.length + taken.size }, (_, n) => n + 1).filter((n) => !taken.has(n))
  const entries = ours.flatMap(({ name, value }, n) => {
    const entry = `MessageAttributes.entry.${free[n]}`
    return [
      [`${entry}.Name`, name],
      [`${entry}.Value.DataType`, 'String'],
      [`${entry}.Value.StringValue`, value],
    ]
  })
  return Object.fromEntries(entries)
}

const senderId = 'AWS.SNS.SMS.SenderID'
const originationNumber = 'AWS.MM.SMS.OriginationNumber'
const smsType: Attribute = { is: ['AWS.SNS.SMS.SMSType'], name: 'AWS.SNS.SMS.SMSType', value: 'Transactional' }

function sender(from: string | undefined): Attribute[] {
  if (from === undefined) return []
  const name = /^\+?\d+$/.test(from) ? originationNumber : senderId
  return [{ is: [senderId, originationNumber], name, value: from }]
}

/** Errors are XML: `<Error><Type/><Code>InvalidParameter</Code><Message>…</Message></Error>`. */
function readError(status: number, xml: string): Outcome | undefined {
  const [code, words] = ['Code', 'Message'].map((name) => new RegExp(`<${name}>([^<]*)`).exec(xml)?.[1] ?? '')
  const reason = `${status} ${code}: ${words}`.slice(0, 500)
  if (code === 'Throttling' || code === 'Throttled' || code === 'ThrottlingException')
    return { kind: 'retry', reason, paces: true }
  if (code === 'InvalidParameter' && words?.includes('PhoneNumber'))
    return { kind: 'rejected', reason, because: 'gone' }
  if (status === 401 || status === 403) return { kind: 'rejected', reason, because: 'integration' }
  return status < 500 && code ? { kind: 'rejected', reason } : undefined
}
