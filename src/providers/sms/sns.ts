import type { SmsMessage } from '../message.ts'
import { type Outcome, readCheck, readReply, sentWith } from '../outcome.ts'
import { defineProvider, named, optional, text } from '../provider.ts'
import { awsFields, readAwsFault, toAwsRequest } from '../shared/aws-request.ts'
import { formFields } from '../shared/form-fields.ts'

export default defineProvider({
  id: 'sns',
  channel: 'sms',
  displayName: 'SNS',
  documentation: 'https://docs.aws.amazon.com/sns/latest/api/API_Publish.html',
  verified: 'documentation in part',
  credentials: {
    ...awsFields,
    from: named(optional(text), 'Sender ID', 'A name, or the origination number in digits.'),
  },

  async send({ credentials, message, http, cached, now }) {
    const request = await toAwsRequest(
      { http, cached, now },
      credentials,
      toSns({
        Action: 'Publish',
        PhoneNumber: message.to,
        Message: message.content,
        ...attributes(message),
        ...message.overrides,
      }),
    )
    if ('fault' in request) return request.fault
    return readReply(await http(request), {
      success: (reply) => sentWith(/<MessageId>([^<]+)<\/MessageId>/.exec(reply.text)?.[1], reply),
      failure: ({ status, text }) => readError(status, text),
    })
  },

  async check({ credentials, http, cached, now }) {
    const request = await toAwsRequest({ http, cached, now }, credentials, toSns({ Action: 'GetSMSAttributes' }))
    return 'fault' in request ? readAwsFault(request.fault) : readCheck(await http(request))
  },
})

function toSns(fields: Record<string, unknown>) {
  const body = new URLSearchParams(formFields({ Version: '2010-03-31', ...fields })).toString()
  return { service: 'sns', type: 'application/x-www-form-urlencoded', body }
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
