import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Connection, Linking, OAuth } from './connect.ts'
import type { CredentialName } from './credential-names.ts'
import type { EndpointType } from './endpoint.ts'
import type { Inbound } from './inbound.ts'
import type { MessageOf } from './message.ts'
import type { CheckResult, Outcome } from './outcome.ts'
import type { ProviderTools } from './provider-tools.ts'

export const channels = ['in_app', 'email', 'sms', 'chat', 'push'] as const
export type Channel = (typeof channels)[number]

/** `secret` fields are encrypted at rest and masked in replies; a required field must be there before activation. */
export type CredentialField = {
  kind: 'text' | 'url' | 'host' | 'port' | 'flag' | 'choice' | 'object'
  secret: boolean
  required: boolean
  values?: readonly string[]
  /** Decides which server the secrets go to: when it changes, they must be given again. */
  where?: true
  /** What the vendor calls it, where the field's name says too little; and what a person should know who fills it in. */
  label?: string
  help?: string
}

export const text = { kind: 'text', secret: false, required: true } as const satisfies CredentialField
export const secret = { kind: 'text', secret: true, required: true } as const satisfies CredentialField
export const url = { kind: 'url', secret: false, required: true, where: true } as const satisfies CredentialField
/** A webhook URL is a secret: everybody who knows it can post. */
export const secretUrl = { kind: 'url', secret: true, required: true, where: true } as const satisfies CredentialField
/** A URL that is part of the message; we never call it. */
export const link = { kind: 'url', secret: false, required: true } as const satisfies CredentialField
export const host = { kind: 'host', secret: false, required: true, where: true } as const satisfies CredentialField
/** Not a `where`: another port of the same host has the same owner. */
export const port = { kind: 'port', secret: false, required: true } as const satisfies CredentialField
/** Absent means false. */
export const flag = { kind: 'flag', secret: false, required: false } as const satisfies CredentialField
/** Absent means `{}`. */
export const object = { kind: 'object', secret: false, required: false } as const satisfies CredentialField

export function choice(...values: string[]) {
  return { kind: 'choice', secret: false, required: true, values } as const satisfies CredentialField
}

export function optional<F extends CredentialField>(field: F): Omit<F, 'required'> & { required: false } {
  return { ...field, required: false }
}

/** A region, an account or a switch that chooses between servers. */
export function where<F extends CredentialField>(field: F): F & { where: true } {
  return { ...field, where: true }
}

export function named<F extends CredentialField>(field: F, label: string, help?: string): F & { label: string } {
  return { ...field, label, ...(help !== undefined && { help }) }
}

type Fields = Readonly<Partial<Record<CredentialName, CredentialField>>>

/** What `send` gets: required texts are set; flags default to false, objects to `{}`. */
type CredentialValues<C extends Fields> = {
  readonly [K in keyof C]: C[K] extends { kind: 'flag' }
    ? boolean
    : C[K] extends { kind: 'object' }
      ? Readonly<Record<string, unknown>>
      : C[K] extends { required: true }
        ? string
        : string | undefined
}

export type SendArgs<Ch extends Channel, C extends Fields> = ProviderTools & {
  credentials: CredentialValues<C>
  message: MessageOf[Ch]
  /** The development mailbox, for the built-in providers. */
  mailbox: Mailbox
  /** For vendors that are told with each message where to report (`perMessage`). Missing: nobody listens. */
  callbackUrl?: string
  /** The workspace that the message's endpoint belongs to, if it names one. */
  connection?: Connection
}

/** Stores what was sent, for developers to look at. */
export type Mailbox = (mail: {
  id: string
  channel: Channel
  to: string
  subject?: string
  content: string
}) => Promise<void>

/**
 * Where we know the request and its replies from; nothing was tried against a live account. `documentation`: the
 * vendor's. `documentation in part`: some of it from clients or general knowledge. `client source`: from the source of
 * a client. `our own`: our own format.
 */
export type Verified =
  | 'documentation'
  | 'documentation in part'
  | 'client source'
  | 'general knowledge'
  | 'standard'
  | 'our own'

type Declaration<Ch extends Channel, C extends Fields> = {
  id: string
  channel: Ch
  displayName: string
  /** The vendor's page about sending. */
  documentation?: string
  verified: Verified
  /** No idempotency key, but the vendor or the receiving app shows our id: a message in doubt can be found by it. */
  traceable?: true
  credentials: C & Record<Exclude<keyof C, CredentialName>, never>
  /** Where no single field is always required: what it takes, in words. */
  needs?: string
  /** The subscriber holds the destination URL, and the integration needs no credentials. */
  usesSubscriberWebhook?: true
  /** Each recipient brings an address of their own: what fails there says nothing about the integration. */
  ownAddresses?: true
  /** What a chat message needs from the subscriber; by default `webhookUrl`. `none`: it takes only endpoints. */
  address?: 'webhookUrl' | 'channel' | 'phone' | 'none'
  /** The channel endpoints it sends to; by default `webhook` or `phone`, by its `address`. */
  endpoints?: readonly EndpointType[]
  /** How many device tokens one call of `send` takes; by default 1. */
  tokensPerCall?: number
  /** Within this time the vendor sends only once for one `message.key`. */
  idempotencyWindowMs?: number
  /** How long one try may take; by default 10 s, and longer with files. */
  sendWithinMs?: number
  /** Used when step, trigger and credentials name no sender; without it that is a failure. */
  defaultFrom?: string
  /** Only for development: cannot be active with NODE_ENV=production. */
  developmentOnly?: true
  /** A harmless call that tests the credentials. */
  check?(args: ProviderTools & { credentials: CredentialValues<C> }): Promise<CheckResult>
  inbound?: Inbound
}

/** What a vendor tells only when asked, about messages that `send` gave a `receipt` for. */
type Receipts<C extends Fields> = {
  /** When it is worth asking, and when the vendor has forgotten. */
  afterMs: number
  keptMs: number
  /** How many one call asks for. */
  perCall: number
  /** By ticket; those that are missing are not known yet. Null: nobody answered. */
  ask(
    args: ProviderTools & { credentials: CredentialValues<C>; tickets: readonly string[] },
  ): Promise<Map<string, Receipt> | null>
}

/** `gone`: the device token no longer exists. */
export type Receipt = { kind: 'delivered' } | { kind: 'failed'; reason: string; gone?: true }

type Definition<Ch extends Channel, C extends Fields> = Declaration<Ch, C> & {
  /** Fields that are not always required, and without which nothing can be sent with these others. */
  missing?(credentials: { readonly [K in keyof C]?: unknown }): readonly (keyof C & string)[]
  /** One attempt. Push: one outcome for all tokens, or one for each in their order. */
  send(args: SendArgs<Ch, C>): Promise<Outcome | Outcome[]>
  receipts?: Receipts<C>
  oauth?: OAuth<CredentialValues<C>>
  linking?: Linking<CredentialValues<C>>
}

/** A provider without its own types; `send` is called with what its definition asks for. */
export type Provider = Omit<Declaration<Channel, Fields>, 'check' | 'credentials'> & {
  credentials: Fields
  missing?(credentials: Readonly<Record<string, unknown>>): readonly string[]
  /** Missing for in-app messages only. */
  send?(
    args: ProviderTools & {
      credentials: object
      message: object
      mailbox: Mailbox
      callbackUrl?: string
      connection?: Connection
    },
  ): Promise<Outcome | Outcome[]>
  check?(args: ProviderTools & { credentials: object }): Promise<CheckResult>
  receipts?: Omit<Receipts<Fields>, 'ask'> & {
    ask(args: ProviderTools & { credentials: object; tickets: readonly string[] }): Promise<Map<string, Receipt> | null>
  }
  oauth?: OAuth<object>
  linking?: Linking<object>
}

/** The second half of the type of `credentials` refuses names that spec 2.5 does not list. */
export function defineProvider<const Ch extends Exclude<Channel, 'in_app'>, const C extends Fields>(
  definition: Definition<Ch, C>,
): Provider {
  // The caller gives each provider the credentials it declares and a message of its channel.
  return definition as unknown as Provider
}

/** In-app messages are only stored and shown by us: nothing is sent. */
export function defineInbox<const C extends Fields>(declaration: Declaration<'in_app', C>): Provider {
  return { ...declaration, credentials: declaration.credentials }
}

export type Catalogue = {
  find(id: string): Provider | undefined
  all: readonly Provider[]
  ofChannel(channel: Channel): readonly Provider[]
}

/** Imports every `<channel>/<id>.ts` under `dir`. A misplaced or misnamed file stops the start. */
export async function loadProviders(dir: string = import.meta.dirname): Promise<Catalogue> {
  const all = await Promise.all((await listProviderFiles(dir)).map(importProvider))
  const byId = new Map<string, Provider>()
  for (const provider of all) {
    const other = byId.get(provider.id)
    if (other)
      throw new Error(`provider ${provider.id} is declared twice, for ${other.channel} and ${provider.channel}`)
    byId.set(provider.id, provider)
  }
  return {
    find: (id) => byId.get(id),
    all,
    ofChannel: (channel) => all.filter((provider) => provider.channel === channel),
  }
}

type ProviderFile = { path: string; id: string; channel: Channel }

// What several providers use, how vendors' callbacks are read, how their apps are installed, and what bots are told.
const helpers = ['shared', 'callbacks', 'oauth', 'bots']

async function listProviderFiles(dir: string): Promise<ProviderFile[]> {
  const entries = await readdir(dir, { withFileTypes: true })
  const folders = entries
    .filter((entry) => entry.isDirectory() && !helpers.includes(entry.name))
    .map((entry) => entry.name)
  const files: ProviderFile[] = []
  for (const folder of folders.toSorted()) {
    const channel = channels.find((name) => folderOf(name) === folder)
    if (!channel) throw new Error(`${join(dir, folder)}: no such channel; known: ${channels.map(folderOf).join(', ')}`)
    const names = await readdir(join(dir, folder))
    for (const name of names.toSorted()) {
      if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue
      files.push({ path: join(dir, folder, name), id: basename(name, '.ts'), channel })
    }
  }
  return files
}

async function importProvider({ path, id, channel }: ProviderFile): Promise<Provider> {
  const module: object = await import(pathToFileURL(path).href)
  const provider: unknown = 'default' in module ? module.default : undefined
  if (!isProvider(provider)) throw new Error(`${path}: the default export is not a provider`)
  if (provider.id !== id) throw new Error(`${path}: declares the id ${provider.id}, its file name says ${id}`)
  if (provider.channel !== channel)
    throw new Error(`${path}: declares the channel ${provider.channel}, its folder says ${channel}`)
  return provider
}

function folderOf(channel: Channel): string {
  return channel.replace('_', '-')
}

function isProvider(value: unknown): value is Provider {
  if (typeof value !== 'object' || value === null) return false
  return (
    'id' in value &&
    typeof value.id === 'string' &&
    'channel' in value &&
    channels.some((channel) => channel === value.channel) &&
    'displayName' in value &&
    typeof value.displayName === 'string' &&
    'credentials' in value &&
    typeof value.credentials === 'object' &&
    value.credentials !== null
  )
}
