import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { booleanCredentials, credentialNames, objectCredentials } from './credential-names.ts'
import { type CredentialField, channels, loadProviders, type Provider } from './provider.ts'
import { channelProviderIds, furtherProviderIds, jobProviderIds } from './provider-ids.ts'

const catalogue = await loadProviders()

describe('the catalogue', () => {
  const isOfSpec = ({ id }: Provider) => !isIn(furtherProviderIds, id)

  test("holds exactly the spec's job providers, and a few of our own", () => {
    expect(
      catalogue.all
        .filter(isOfSpec)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(jobProviderIds.toSorted())
  })

  test.each([
    ['email', 20],
    ['sms', 36],
    ['chat', 12],
    ['push', 8],
    ['in_app', 1],
  ] as const)('has all providers of %s: %i', (channel, count) => {
    expect(catalogue.ofChannel(channel).filter(isOfSpec)).toHaveLength(count)
  })

  test('lets a subscriber hold credentials for every chat and push provider of the spec, and no other', () => {
    const reached = [...catalogue.ofChannel('chat'), ...catalogue.ofChannel('push')]
    const ids = reached.filter(isOfSpec).map(({ id }) => id)
    expect(ids.toSorted()).toEqual(channelProviderIds.toSorted())
  })

  test('finds a provider by id, and nothing for an unknown id', () => {
    expect(catalogue.find('twilio')).toMatchObject({ channel: 'sms', displayName: 'Twilio' })
    expect(catalogue.find('carrier-pigeon')).toBeUndefined()
    expect(catalogue.find('constructor')).toBeUndefined()
  })
})

/** Active without any credential, each for its own reason. */
const withoutRequired = [
  'expo', // takes anonymous calls unless enhanced push security is on
  'appio', // the key may come with each trigger
  'google-chat', // posts to webhooks without any
  'outlook365', // either OAuth fields or a password, so none is always needed
  'ntfy', // topics of the public server are open to everybody
]

/** Pages give it to every browser, and it lets nobody send. */
const publicKeys = ['web-push apiKey']

describe.each(catalogue.all)('$id', (provider) => {
  const fields = fieldsOf(provider)

  test('declares only credentials of spec 2.5', () => {
    for (const [name] of fields) expect(credentialNames).toContain(name)
  })

  test('gives each credential the JSON type of spec 2.5', () => {
    for (const [name, { kind }] of fields) {
      expect(kind === 'flag', name).toBe(isIn(booleanCredentials, name))
      expect(kind === 'object', name).toBe(isIn(objectCredentials, name))
    }
  })

  test('never requires a sender: a step or an override may supply it', () => {
    expect(provider.credentials.from?.required ?? false).toBe(false)
    expect(provider.credentials.senderName?.required ?? false).toBe(false)
  })

  test('hides whatever lets the holder send', () => {
    for (const [name, field] of fields) {
      if (isBearer(name)) expect(field.secret, name).toBe(!publicKeys.includes(`${provider.id} ${name}`))
    }
  })

  test('lists the values of a choice, and only of a choice', () => {
    for (const [name, { kind, values }] of fields) expect((values ?? []).length > 0, name).toBe(kind === 'choice')
  })

  test('requires a credential exactly when the vendor cannot be called without one', () => {
    const required = fields.filter(([, field]) => field.required)
    const needsNone =
      provider.usesSubscriberWebhook || provider.id.startsWith('platform') || withoutRequired.includes(provider.id)
    expect(required.length > 0).toBe(!needsNone)
  })

  test('uses a subscriber webhook only for chat', () => {
    if (provider.usesSubscriberWebhook) expect(provider.channel).toBe('chat')
  })
})

describe('the same message is the same request at every try', () => {
  const dir = import.meta.dirname
  const sources = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!\.test)\.ts$/.test(name),
  )

  test('no provider makes up anything, or looks at a clock of its own', () => {
    const isOwn = /Math\.random|randomUUID|randomBytes|Date\.now\(|new Date\(\)/
    const found = sources.filter((name) => isOwn.test(readFileSync(join(dir, name), 'utf8')))
    // How long the vendor asks to wait, as a date.
    expect(found).toEqual(['outcome.ts'])
  })

  test('every provider that sends to the outside has a table that compares two tries', () => {
    const untested = catalogue.all
      .filter(({ id }) => !id.startsWith('platform') || id === 'platform-slack')
      .filter(({ id, channel }) => {
        const table = readFileSync(join(dir, channel, `${id}.test.ts`), 'utf8')
        return !/^\s*(providerTable|smtpTable)\(/m.test(table)
      })
    expect(untested.map(({ id }) => id)).toEqual([])
    expect(catalogue.all.length - 3).toBe(74 + furtherProviderIds.length)
  })
})

describe('the loader', () => {
  const dirs: string[] = []
  afterEach(async () => {
    await Promise.all(dirs.splice(0).map((dir) => rm(dir, { recursive: true })))
  })

  async function folderWith(files: Record<string, string>): Promise<string> {
    const dir = await mkdtemp(join(tmpdir(), 'providers-'))
    dirs.push(dir)
    for (const [name, source] of Object.entries(files)) {
      await mkdir(join(dir, dirname(name)), { recursive: true })
      await writeFile(join(dir, name), source)
    }
    return dir
  }

  test('reads one provider per file and every channel folder, tests and other files left out', async () => {
    const dir = await folderWith({
      'notes.md': '',
      'sms/notes.md': '',
      'sms/a.test.ts': 'throw new Error()',
      ...Object.fromEntries(channels.map((channel) => [`${channel.replace('_', '-')}/${channel}.ts`, source(channel)])),
    })
    const loaded = await loadProviders(dir)
    expect(loaded.all.map(({ id }) => id).toSorted()).toEqual(channels.toSorted())
  })

  test.each([
    ['a file not named by its id', { 'sms/b.ts': source('sms', 'a') }, /declares the id a, its file name says b/],
    [
      'a file in the wrong folder',
      { 'sms/a.ts': source('chat', 'a') },
      /declares the channel chat, its folder says sms/,
    ],
    [
      'an id declared twice',
      { 'sms/a.ts': source('sms', 'a'), 'chat/a.ts': source('chat', 'a') },
      /a is declared twice/,
    ],
    ['a folder that is no channel', { 'fax/a.ts': source('sms', 'a') }, /fax: no such channel/],
    ['the spelling in_app for the folder', { 'in_app/a.ts': source('in_app', 'a') }, /in_app: no such channel/],
    ['a file without a default export', { 'sms/a.ts': 'export const a = 1' }, /not a provider/],
    ['a default export of another shape', { 'sms/a.ts': "export default { id: 'a' }" }, /not a provider/],
  ])('refuses %s', async (_case, files, message) => {
    await expect(loadProviders(await folderWith({ ...files }))).rejects.toThrow(message)
  })
})

function source(channel: string, id = channel): string {
  return `export default { id: '${id}', channel: '${channel}', displayName: 'Any', credentials: {} }`
}

function fieldsOf(provider: Provider): [string, CredentialField][] {
  return Object.entries(provider.credentials)
}

function isIn(names: readonly string[], name: string): boolean {
  return names.includes(name)
}

function isBearer(name: string): boolean {
  const bearers = ['apiKey', 'secretKey', 'password', 'token', 'apiToken', 'accessKey', 'appSid', 'serviceAccount']
  return isIn([...bearers, 'webhookUrl'], name)
}
