import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CredentialName } from './credential-names.ts'

export const channels = ['in_app', 'email', 'sms', 'chat', 'push'] as const
export type Channel = (typeof channels)[number]

/** `secret` fields are encrypted at rest and masked in replies; a required field must be there before activation. */
export type CredentialField = {
  kind: 'text' | 'url' | 'host' | 'port' | 'flag' | 'choice' | 'object'
  secret: boolean
  required: boolean
  values?: readonly string[]
}

export const text: CredentialField = { kind: 'text', secret: false, required: true }
export const secret: CredentialField = { kind: 'text', secret: true, required: true }
export const url: CredentialField = { kind: 'url', secret: false, required: true }
/** A webhook URL is a bearer secret: who knows it can post. */
export const secretUrl: CredentialField = { kind: 'url', secret: true, required: true }
export const host: CredentialField = { kind: 'host', secret: false, required: true }
export const port: CredentialField = { kind: 'port', secret: false, required: true }
/** Absent means false. */
export const flag: CredentialField = { kind: 'flag', secret: false, required: false }
/** Absent and `{}` mean the same. */
export const object: CredentialField = { kind: 'object', secret: false, required: false }

export function choice(...values: string[]): CredentialField {
  return { kind: 'choice', secret: false, required: true, values }
}

export function optional(field: CredentialField): CredentialField {
  return { ...field, required: false }
}

export type Provider = {
  id: string
  channel: Channel
  displayName: string
  credentials: Readonly<Partial<Record<CredentialName, CredentialField>>>
  /** The destination URL lives on the subscriber, and the integration needs no credentials of its own. */
  usesSubscriberWebhook?: true
}

/** Not generic on purpose: a type parameter would let credential names outside spec 2.5 through. */
export function defineProvider(provider: Provider): Provider {
  return provider
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

async function listProviderFiles(dir: string): Promise<ProviderFile[]> {
  const entries = await readdir(dir, { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
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
