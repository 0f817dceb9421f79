import type { Endpoint } from '../../src/providers/endpoint.ts'
import type { ChatMessage, EmailMessage, PushMessage, SmsMessage } from '../../src/providers/message.ts'
import type { Provider } from '../../src/providers/provider.ts'

export const now = new Date('2026-01-02T03:04:05.000Z')

/** When the same message is tried again; every vendor still remembers a key as old as this. */
export const laterTry = new Date(now.getTime() + 137_007)

const common = {
  id: '0198c000-0000-7000-8000-000000000001',
  key: 'key-0198c000-0000-7000-8000-000000000001',
  subscriberId: 'ada',
  firstTriedAt: now,
  overrides: {},
}

/** One message of each channel. */
export const samples = {
  email: {
    ...common,
    from: { email: 'team@example.com', name: 'The Team' },
    to: ['ada@example.org'],
    cc: [],
    bcc: [],
    replyTo: 'help@example.com',
    subject: 'Hello Ada',
    html: '<p>Hello</p>',
    text: 'Hello',
    headers: {},
    attachments: [],
  } satisfies EmailMessage,
  sms: { ...common, to: '+15005550006', from: '+15005550001', content: 'Hello Ada' } satisfies SmsMessage,
  chat: {
    ...common,
    content: 'Hello Ada',
    webhookUrl: 'https://hooks.example.com/T0/B0/secret',
    channel: 'general',
    phone: '+15005550006',
    alert: {},
  } satisfies ChatMessage,
  push: {
    ...common,
    token: 'device-token-1',
    tokens: ['device-token-1'],
    title: 'Hello',
    body: 'Hello Ada',
    data: { orderId: '42' },
    payload: { orderId: '42', note: 'for our own eyes' },
  } satisfies PushMessage,
}

/** All a mail can have besides what the sample has. */
export const fullEmail = {
  cc: ['bob@example.org'],
  bcc: ['eve@example.org'],
  headers: { 'X-Team': 'blue' },
  attachments: [{ name: 'a.txt', mime: 'text/plain', content: Buffer.from('hi') }],
} satisfies Partial<EmailMessage>

/** undefined: without what the sample has. */
type Some<M> = { [K in keyof M]?: M[K] | undefined }
export type Changes = Some<EmailMessage> | Some<SmsMessage> | Some<ChatMessage> | Some<PushMessage>

/** Where providers send that take only endpoints. */
export const sampleEndpoints: readonly Endpoint[] = [
  { type: 'telegram_chat', endpoint: { chatId: '7012345678' } },
  { type: 'google_chat_space', endpoint: { spaceId: 'AAAAMpdlehY' } },
]

/** The sample of the provider's channel, with changes. */
export function sampleFor(provider: Provider, changes: Changes = {}): object {
  const { channel, address, endpoints } = provider
  const to = address === 'none' ? sampleEndpoints.find(({ type }) => type === endpoints?.[0]) : undefined
  return { ...(channel === 'in_app' ? {} : samples[channel]), ...(to && { to }), ...changes }
}

/** Credentials as the host hands them over: flags are false and objects empty unless set. */
export function givenTo(provider: Provider, credentials: object): object {
  const absent = Object.entries(provider.credentials).map(([name, { kind }]) => [
    name,
    kind === 'flag' ? false : kind === 'object' ? {} : undefined,
  ])
  return { ...Object.fromEntries(absent), ...credentials }
}
