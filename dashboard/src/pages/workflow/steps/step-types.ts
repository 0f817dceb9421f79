import { channelIcon, channelName } from '../../../lib/channels.ts'
import type { IconName } from '../../../ui/icon.tsx'
import { isObject, type Step, type StepType, textAt, type Values } from '../draft.ts'

type Kind = { type: StepType; name: string; icon: IconName; about: string; start: Values }

const mail = '<p>Hello {{ subscriber.firstName | default: "there" }},</p>\n<p>something happened.</p>'
const hello = 'Hello {{ subscriber.firstName | default: "there" }}'
const channel = (type: StepType, about: string, start: Values): Kind => ({
  type,
  name: channelName(type),
  icon: channelIcon(type),
  about,
  start,
})

export const channelKinds: readonly Kind[] = [
  channel('in_app', 'A message in the feed of your product', { subject: hello, body: 'Something happened.' }),
  channel('email', 'An e-mail, by your e-mail integration', { subject: hello, body: mail, editorType: 'html' }),
  channel('sms', 'A text message to their phone', { body: `${hello}, something happened.` }),
  channel('push', 'A push notification to their devices', { subject: hello, body: 'Something happened.' }),
  channel('chat', 'A message in their chat, such as Slack', { body: `${hello}, something happened.` }),
]

export const waitKinds: readonly Kind[] = [
  {
    type: 'delay',
    name: 'Delay',
    icon: 'clock',
    about: 'Holds back what comes after it',
    start: { type: 'regular', amount: 1, unit: 'hours' },
  },
  {
    type: 'digest',
    name: 'Digest',
    icon: 'digest',
    about: 'Gathers events, then goes on once for all of them',
    start: { type: 'regular', amount: 30, unit: 'minutes' },
  },
  {
    type: 'throttle',
    name: 'Throttle',
    icon: 'throttle',
    about: 'Lets so many through in so much time',
    start: { type: 'fixed', amount: 1, unit: 'hours', threshold: 1 },
  },
]

const coded: Kind = { type: 'custom', name: 'Code', icon: 'braces', about: 'Gives a result to later steps', start: {} }

const kinds = new Map([...channelKinds, ...waitKinds, coded].map((kind) => [kind.type as string, kind]))

export const stepName = (type: string) => kinds.get(type)?.name ?? type
export const stepIcon = (type: string): IconName => kinds.get(type)?.icon ?? 'workflow'
export const isChannelStep = (type: StepType) => channelKinds.some((kind) => kind.type === type)

/** One line that says what the step does. */
export function summaryOf({ type, controlValues: values }: Step): string {
  switch (type) {
    case 'in_app':
    case 'email':
    case 'push':
      return textAt(values, 'subject') || textAt(values, 'body')
    case 'sms':
    case 'chat':
      return textAt(values, 'body')
    case 'delay':
      if (values.type === 'scheduled') return `until ${textAt(values, 'delayPath')}`
      return values.type === 'timed' ? `until ${textAt(values, 'cron')}` : spanOf(values)
    case 'digest':
      return [digestSpan(values), textAt(values, 'digestKey') && `by ${textAt(values, 'digestKey')}`]
        .filter(Boolean)
        .join(', ')
    case 'throttle':
      if (values.type === 'dynamic') return `until ${textAt(values, 'dynamicKey')}`
      return `${textAt(values, 'threshold') || '1'} in ${spanOf(values)}`
    case 'custom':
      return 'code'
  }
}

function digestSpan(values: Values): string {
  if (values.type !== 'timed') return spanOf(values)
  if (values.cron) return textAt(values, 'cron')
  return isObject(values.timed) ? `at ${textAt(values, 'timed.atTime') || 'a set time'}` : 'at set times'
}

function spanOf({ amount, unit }: Values): string {
  if (typeof amount !== 'number' || typeof unit !== 'string') return 'not set yet'
  return amount === 1 ? `1 ${unit.replace(/s$/, '')}` : `${amount} ${unit}`
}
