import { isPlainObject } from '../../lib/canonical-json.ts'
import { oneLine } from '../../lib/one-line.ts'
import type { NewMessage } from '../../store/history/history.ts'
import { readAddress, safeName } from '../addresses/email-addresses.ts'
import { providersOf } from '../bridge/apply-answer.ts'
import type { Step } from '../workflows/workflow.ts'

const fieldsOfValues = new WeakMap<Step['controlValues'], Record<string, string>>()

/** The Liquid templates of an e-mail, SMS, chat or push step; the same object for the same step of a version. */
export function sendFields({
  controlValues,
  compiled,
}: Pick<Step, 'controlValues' | 'compiled'>): Record<string, string> {
  const fields =
    fieldsOfValues.get(controlValues) ?? collectFields({ ...controlValues, ...(compiled && { body: compiled.html }) })
  fieldsOfValues.set(controlValues, fields)
  return fields
}

function collectFields(controlValues: Step['controlValues']): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of ['subject', 'body', 'replyTo', 'preheader']) {
    const value = controlValues[name]
    if (typeof value === 'string') found[name] = value
  }
  const { from } = controlValues
  if (isPlainObject(from)) {
    if (typeof from.email === 'string') found['from.email'] = from.email
    if (typeof from.name === 'string') found['from.name'] = from.name
  }
  if (isPlainObject(controlValues.data)) {
    for (const [key, value] of Object.entries(controlValues.data)) {
      if (typeof value === 'string') found[dataField + key] = value
    }
  }
  return found
}

// The data of a push step, by its keys.
const dataField = 'data.'

const body = ['body'] as const
const none = [] as const

/** The fields in which values are escaped: the HTML of an e-mail, unless its step or an old version says otherwise. */
export function escapedFields(step: Step, escapesHtml: boolean): readonly string[] {
  // No version was ever rendered from blocks without it.
  const escapes = escapesHtml || step.compiled !== undefined
  return step.type === 'email' && escapes && step.controlValues.disableOutputSanitization !== true ? body : none
}

/** E-mails whose bodies are HTML. Versions from before values were escaped go out as they always did. */
export function takesLayout({ type, compiled }: Pick<Step, 'type' | 'compiled'>, escapesHtml: boolean): boolean {
  return type === 'email' && (escapesHtml || compiled !== undefined)
}

type Envelope = {
  from?: { email: string; name?: string }
  replyTo?: string
  preheader?: string
  data?: Record<string, string>
  /** By provider: what the bridge adds in the vendor's own format. */
  providers?: Record<string, Record<string, unknown>>
}
export type SendContent = Pick<NewMessage, 'subject' | 'content' | 'envelope'>

/** What is stored for this and every later try. A rendered text that is not an address is left out. */
export function toSendContent(fields: Record<string, string>, given: Record<string, unknown> = {}): SendContent {
  const providers = providersOf(given)
  const sender = readAddress(fields['from.email'])
  const name = safeName(fields['from.name'] ?? '')
  const replyTo = readAddress(fields.replyTo)
  const data = Object.entries(fields).filter(([name]) => name.startsWith(dataField))
  const envelope: Envelope = {
    ...(sender && { from: { email: sender.email, ...(name && { name }) } }),
    ...(replyTo && { replyTo: replyTo.email }),
    ...(fields.preheader && { preheader: fields.preheader }),
    ...(data.length > 0 && {
      data: Object.fromEntries(data.map(([name, value]) => [name.slice(dataField.length), value])),
    }),
    ...(Object.keys(providers).length > 0 && { providers }),
  }
  return {
    subject: fields.subject === undefined ? null : oneLine(fields.subject),
    content: fields.body ?? '',
    envelope: Object.keys(envelope).length > 0 ? envelope : null,
  }
}
