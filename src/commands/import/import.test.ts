import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Client, type Json, sender, testConfig, useHarness } from '../../../test/harness.ts'
import { fillSource } from '../../../test/import/fill-source.ts'
import { runProgram } from '../cli/run-program.ts'

/** The old service is a second server of ours, in the dialect that its clients speak. */
const h = useHarness()
let sourceUrl = ''
beforeAll(async () => {
  sourceUrl = (await h.node({ VENDOR_NAMES: 'novu' })).url
})

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})
function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tidings-import-'))
  folders.push(folder)
  return folder
}

const noSettings = () => {
  throw new Error('with a URL no settings of the service are read')
}

async function run(from: Client, to: Client, folder: string, ...args: string[]) {
  const said: string[] = []
  const places = ['--url', sourceUrl, '--key', from.key, '--to', h.url, '--to-key', to.key, '--state', folder]
  const code = await runProgram(['import', '--from-novu', ...places, ...args], {
    settings: noSettings,
    print: (line) => said.push(line),
  })
  return { code, said, text: said.join('\n'), last: said.at(-1) }
}

/** What the report says of a kind. */
function row(said: readonly string[], kind: string): number[] {
  const line = said.find((it) => it.startsWith(`${kind} `)) ?? ''
  return line
    .split(/\s+/)
    .slice(1, 6)
    .map((it) => Number(it.replaceAll(',', '')))
}

const size = { people: 130, topics: 25, workflows: 12 }

describe('everything', () => {
  test('is planned, imported, verified, and a second time nothing changes', async () => {
    const [from, to] = [await h.environment(), await h.environment()]
    await fillSource(from, size)
    const folder = makeFolder()
    const plan = await run(from, to, folder, '--dry-run')
    expect(row(plan.said, 'subscribers')).toEqual([130, 130, 0, 0, 0])
    expect(row(plan.said, 'workflows')).toEqual([12, 12, 0, 0, 0])
    expect(row(plan.said, 'translations')).toEqual([1, 1, 0, 0, 0])
    expect((await to.get('/v2/subscribers')).body.totalCount).toBe(0)

    const first = await run(from, to, folder)
    expect([first.code, first.text]).toEqual([0, expect.stringContaining('Imported: ')])
    expect(first.said).toContainEqual(expect.stringMatching(/^Read on both sides.*All the same/))
    for (const [kind, count] of Object.entries({
      layouts: 1,
      workflows: 12,
      translations: 1,
      // With the one that a person's channel made.
      integrations: 3,
      contexts: 1,
      tenants: 1,
      subscribers: 130,
      topics: 25,
      members: 25 * 30,
    })) {
      expect([kind, ...row(first.said, kind)]).toEqual([kind, count, count, 0, 0, 0])
    }
    expect(row(first.said, 'variables')).toEqual([2, 1, 0, 0, 1])
    expect((await to.get('/v1/environment-variables/HOST')).body.values).toEqual([
      { _environmentId: to.environmentId, value: 'https://a.example.com' },
    ])
    expect(first.text).toContain('variable TOKEN: ')
    expect(first.text).not.toContain('the-secret-value')
    expect(first.text).toContain('mails: ')
    expect(first.text).not.toContain('SG.secret')

    const again = await run(from, to, folder)
    expect(again.last).toBe('Imported: 0 created, 0 changed.')
    const verified = await run(from, to, folder, '--verify')
    expect([verified.code, verified.last]).toEqual([0, expect.stringContaining('is the same on both sides')])
  })

  test('arrives as it was', async () => {
    const [from, to] = [await h.environment(), await h.environment()]
    await fillSource(from, { people: 5, topics: 1, workflows: 2 })
    await run(from, to, makeFolder())
    const same = async (path: string, pick: (body: Json) => unknown) => {
      const [there, here] = await Promise.all([from.get(path), to.get(path)])
      expect(pick(here.body)).toEqual(pick(there.body))
      return here.body
    }
    const withoutIds = (value: unknown) =>
      JSON.parse(
        JSON.stringify(value, (key, it) =>
          /^_|Id$|At$|version|edition/.test(key) && key !== 'stepId' ? undefined : it,
        ),
      )
    for (const workflow of ['all', 'quiet']) await same(`/v2/workflows/${workflow}`, withoutIds)
    await same('/v2/layouts/brand', withoutIds)
    await same('/v2/translations/workflow/all/de_AT', withoutIds)
    for (const id of ['s0', 's1', 's2', 's3']) {
      await same(`/v2/subscribers/${id}`, withoutIds)
      await same(`/v2/subscribers/${id}/preferences?criticality=all`, ({ global, workflows }) => [
        global,
        workflows.map((it: Json) => [it.enabled, it.channels]),
      ])
    }
    const [mails] = (await to.get('/v1/integrations')).body.filter(
      (it: { identifier: string }) => it.identifier === 'mails',
    )
    expect(mails).toMatchObject({ providerId: 'sendgrid', active: false, credentials: {} })
  })

  test('what changed there is changed here, what was deleted here comes back, and verify says where', async () => {
    const [from, to] = [await h.environment(), await h.environment()]
    await fillSource(from, { people: 120, topics: 2, workflows: 3 })
    const folder = makeFolder()
    await run(from, to, folder)
    await from.patch('/v2/subscribers/s7', { email: 'new@example.com', lastName: null })
    await from.patch('/v2/subscribers/s0/preferences', { channels: { sms: true } })
    await from.patch('/v2/workflows/w0', { name: 'Renamed' })
    await to.delete('/v2/subscribers/s110')
    const verified = await run(from, to, folder, '--verify')
    expect([verified.code, verified.last]).toEqual([1, expect.stringMatching(/are missing here, .* are different/)])
    const lines = readFileSync(/Each one is a line of (.*)/.exec(verified.text)?.[1] ?? '', 'utf8')
    expect(lines).toContain('"name":"s7","why":"differs here: lastName, email"')
    expect(lines).toContain('"name":"s0","field":"preferences.sms","why":"is on there and off here')
    expect(lines).toContain('"name":"s110","why":"is not here"')
    const second = await run(from, to, folder)
    expect(row(second.said, 'subscribers')).toEqual([120, 1, 1, 118, 0])
    expect(row(second.said, 'workflows')).toEqual([3, 0, 1, 2, 0])
    expect((await run(from, to, folder, '--verify')).code).toBe(0)
  })

  test('only what is asked for', async () => {
    const [from, to] = [await h.environment(), await h.environment()]
    await fillSource(from, { people: 3, topics: 1, workflows: 2 })
    const { said } = await run(from, to, makeFolder(), '--only', 'subscribers,topics')
    expect(said.filter((it) => /^(layouts|workflows|integrations)/.test(it))).toEqual([])
    expect((await to.get('/v2/workflows')).body.totalCount).toBe(0)
    expect((await to.get('/v2/topics/t0/subscriptions')).body.totalCount).toBe(3)
    await expect(run(from, to, makeFolder(), '--only', 'all')).rejects.toThrow('--only knows workflows,')
  })

  test('into the database of the settings', async () => {
    const [from, to] = [await h.environment(), await h.environment()]
    await fillSource(from, { people: 3, topics: 1, workflows: 2 })
    const config = testConfig({ DATABASE_URL: h.databaseUrl, DATABASE_POOL_SIZE: '4' })
    const said: string[] = []
    const args = ['--url', sourceUrl, '--key', from.key, '--environment', to.environmentId, '--state', makeFolder()]
    expect(
      await runProgram(['import', '--from-novu', ...args], {
        settings: () => config,
        print: (line) => said.push(line),
      }),
    ).toBe(0)
    expect((await to.get('/v2/subscribers')).body.totalCount).toBe(3)
    expect((await to.get('/v1/changes?limit=1')).body.data[0].actor).toMatchObject({ type: 'command' })
  })
})

describe('what cannot work says what to do', () => {
  test('a wrong key, a wrong address, a page that is no API', async () => {
    const [from, to] = [await h.environment(), await h.environment()]
    const folder = makeFolder()
    const call = (...args: string[]) =>
      runProgram(['import', '--from-novu', '--to', h.url, '--to-key', to.key, '--state', folder, ...args], {
        settings: noSettings,
        print() {},
      })
    await expect(call('--url', sourceUrl, '--key', 'wrong')).rejects.toThrow(/refuses the key \(401\)/)
    await expect(call('--url', 'nonsense', '--key', 'k')).rejects.toThrow('is not a URL such as')
    await expect(call('--key', 'k')).rejects.toThrow('IMPORT_URL and IMPORT_KEY')
    const wrong = [
      '--from-novu',
      '--url',
      sourceUrl,
      '--key',
      from.key,
      '--to',
      h.url,
      '--to-key',
      'wrong',
      '--state',
      folder,
    ]
    await fillSource(from, { people: 3, topics: 0, workflows: 2 })
    await expect(runProgram(['import', ...wrong], { settings: noSettings, print() {} })).rejects.toThrow(
      'refuses its key',
    )
    expect((await sender(h.url)('GET', '/v2/subscribers', { key: to.key })).body.totalCount).toBe(0)
  })
})
