import { emailSigners } from './signers/email.ts'
import { otherSigners } from './signers/others.ts'
import { type Signer, seconds } from './signers/signer.ts'
import { smsSigners } from './signers/sms.ts'

/** One for every provider that takes callbacks; a test fails for one that is missing. */
export const signers: Record<string, Signer> = { ...emailSigners, ...smsSigners, ...otherSigners }

const deep = (times: number) => '['.repeat(times) + ']'.repeat(times)
const list = (times: number, item: string) => `[${Array(times).fill(item).join(',')}]`
const fields = (times: number) => Array.from({ length: times }, (_, n) => `f${n}=`).join('&')

/** What Resend, Postmark and Mailgun read of an event, each field with the same value. */
function everywhere(value: string): string {
  const names = (...list: string[]) => `{${list.map((name) => `"${name}":${value}`).join(',')}}`
  return `{"type":"email.bounced","RecordType":"Bounce","Type":${value},"MessageID":${value},"Email":${value},
    "Details":${value},"Metadata":${names('tidings_message_id')},"data":{"email_id":${value},"to":${value},
    "tags":${value},"bounce":${names('message', 'type')}},"event-data":{"event":"failed","severity":"permanent",
    "reason":${value},"recipient":${value},"message":{"headers":${names('message-id')}},
    "user-variables":${names('tidings_message_id')},"delivery-status":${names('message', 'description')}}}`
}

const event = (value: string) =>
  `{"event":"dropped","sg_message_id":${value},"tidings_message_id":${value},"email":${value},"reason":${value}}`
const giant = JSON.stringify('x'.repeat(60_000))
const dotted = JSON.stringify('.recvd.filter'.repeat(4_000))
const notText = '{"toString":1,"valueOf":1}'
const small = '{"event":"delivered","sg_message_id":"a","email":"a@b.c"}'

/** Bodies of up to a megabyte that cost much to read, or that break who reads them carelessly. */
export const hostileBodies: [name: string, body: string][] = [
  ['17 KB of fields of a form', fields(2_800)],
  ['a megabyte of fields of a form', fields(110_000)],
  ['half a million empty fields', 'a&'.repeat(500_000)],
  ['one field with a megabyte', `MessageSid=${'x'.repeat(1_000_000)}`],
  ['one field a hundred thousand times', Array(100_000).fill('a=b').join('&')],
  ['arrays in arrays', deep(500_000)],
  ['objects in objects', '{"a":'.repeat(150_000) + 1 + '}'.repeat(150_000)],
  ['deep values', everywhere(deep(3_000))],
  ['giant values', everywhere(giant)],
  ['values that are no text', everywhere(notText)],
  ['a signature that is no text', `{"signature":{"timestamp":${notText},"token":${notText},"signature":${notText}}}`],
  ['a signature that is deep', `{"signature":{"timestamp":${deep(20_000)},"token":${deep(20_000)}}}`],
  ['a list of nothings', list(340_000, '{}')],
  ['a list of numbers', list(500_000, '1')],
  ['thousands of events', list(15_000, small)],
  ['events with giant values', list(3, event(giant))],
  ['events with dots', list(4, event(dotted))],
  ['events that are no text', list(5_000, event(notText))],
  ['events that are deep', list(20, event(deep(5_000)))],
  [
    'as many tags as recipients',
    `{"type":"email.delivered","data":{"email_id":"a","to":${list(60_000, '"a@b.c"')},"tags":${list(100_000, '{}')}}}`,
  ],
  ['a hundred thousand keys', `{${Array.from({ length: 90_000 }, (_, n) => `"k${n}":1`).join(',')}}`],
]

/** What a stranger can send: no header, or headers that cost as much as headers can. */
export function strangersHeaders(now: Date): Record<string, string>[] {
  const many = Array(7_000).fill('v').join(' ')
  const stamps = { 'svix-id': 'x', 'svix-timestamp': seconds(now) }
  return [
    {},
    {
      ...stamps,
      'svix-signature': many,
      'x-twilio-signature': 'A'.repeat(28),
      'x-twilio-email-event-webhook-signature': 'A'.repeat(96),
      'x-twilio-email-event-webhook-timestamp': seconds(now),
    },
    { authorization: `Basic ${' '.repeat(7_000)}!` },
  ]
}
