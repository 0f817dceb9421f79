import { describe, expect, test } from 'vitest'
import { type Client, sender, testConfig, useHarness } from '../../test/harness.ts'
import { apiKeyId } from '../lib/api-key.ts'
import { runProgram } from './cli/run-program.ts'

const h = useHarness()
const config = (settings: Record<string, string> = {}) => testConfig({ DATABASE_URL: h.databaseUrl, ...settings })

async function run(args: string[], settings = config()): Promise<string> {
  const said: string[] = []
  expect(await runProgram(args, { settings: () => settings, print: (line) => said.push(line) })).toBe(0)
  return said.join('\n')
}
const keys = (...args: string[]) => run(['keys', ...args])
const environments = (...args: string[]) => run(['environments', ...args])
const keyIn = (said: string) => /td_\w+/.exec(said)?.[0] ?? ''
const statusOf = async (key: string) => (await h.send('GET', '/v2/topics', { key })).status

describe('the first command on an empty database', () => {
  test('says the key that came with the first environment: it is known this once', async () => {
    const said = await environments('list')
    expect(said).toMatch(/"My organization"/)
    expect(await statusOf(keyIn(said))).toBe(200)
    expect(keyIn(await environments('list'))).toBe('')
  })
})

describe('keys', () => {
  const idOf = (env: Client) => apiKeyId(env.key) ?? ''

  test('create: a key of the environment named, shown once, with the cell in it', async () => {
    const env = await h.environment()
    const made = keyIn(await run(['keys', 'create', env.environmentId, 'deploy'], config({ CELL: 'eu7' })))
    expect(made).toMatch(/^td_eu7_/)
    await env.post('/v2/topics', { key: 'a' })
    expect((await h.send('GET', '/v2/topics', { key: made })).body.data).toHaveLength(1)
    const listed = await keys('list', env.environmentId)
    expect(listed.split('\n')).toHaveLength(2)
    expect(listed).toContain('deploy')
    expect(listed).not.toContain(made.slice(-51))
  })

  test('create: of the oldest environment when none is named; of none that does not exist', async () => {
    await h.environment()
    const made = keyIn(await keys('create'))
    expect(await statusOf(made)).toBe(200)
    await expect(keys('create', '01890000-0000-7000-8000-000000000000')).rejects.toThrow('no environment')
    await expect(keys('create', 'garbage')).rejects.toThrow('no environment')
  })

  test('an environment is named by its slug too, unless several organizations have one of it', async () => {
    await environments('create', 'Shop front', 'Acme')
    const key = keyIn(await keys('create', 'shop-front', 'web', '--organization'))
    expect((await h.send('GET', '/v1/environments', { key })).body).toMatchObject([{ name: 'Shop front' }])
    expect(await keys('list', 'shop-front')).toContain('web  (reaches the organization)')
    await environments('create', 'Shop front', 'Bolt')
    await expect(keys('create', 'shop-front')).rejects.toThrow('Several organizations')
    await expect(keys('list', 'garbage')).rejects.toThrow('no environment')
  })

  test('two live keys per environment and no third, until one is revoked', async () => {
    const env = await h.environment()
    await keys('create', env.environmentId)
    await expect(keys('create', env.environmentId)).rejects.toThrow(/two live API keys .*revoke one first/)
    await keys('revoke', idOf(env))
    expect(await statusOf(keyIn(await keys('create', env.environmentId)))).toBe(200)
  })

  test('revoke: refused from then on, listed as revoked, and only once', async () => {
    const env = await h.environment()
    expect(await keys('revoke', idOf(env))).toContain('within 5 seconds')
    expect(await statusOf(env.key)).toBe(401)
    expect(await keys('list', env.environmentId)).toMatch(/revoked \d{4}-/)
    await expect(keys('revoke', idOf(env))).rejects.toThrow('no live key')
  })

  test('revoke: BOOTSTRAP_API_KEY too, and a start with the same setting does not bring it back', async () => {
    const own = config({ BOOTSTRAP_API_KEY: 'my-own-key' })
    const listed = (await run(['keys', 'list'], own)).split('\n')
    const id = listed.find((line) => line.includes('BOOTSTRAP_API_KEY'))?.split('  ')[0] ?? ''
    const status = async () => (await sender((await h.node()).url)('GET', '/v2/topics', { key: 'my-own-key' })).status
    expect(await status()).toBe(200)
    await run(['keys', 'revoke', id], own)
    expect(await status()).toBe(401)
    await run(['keys', 'list'], own)
    expect(await status()).toBe(401)
  })

  test.each(['', 'garbage', "'; drop table api_key; --", '01890000-0000-7000-8000-000000000000'])(
    'revoke %j: there is none',
    async (id) => {
      await expect(keys('revoke', id)).rejects.toThrow('no live key')
    },
  )

  test.each([[], ['make'], ['constructor'], ['toString']])(
    '%j is no command: the refusal names or shows the help',
    async (...args) => {
      await expect(keys(...args)).rejects.toThrow(/tidings keys --help|^Usage: tidings keys /)
    },
  )
})

describe('environments', () => {
  test('create: in the organization named, made if need be, with a key of its own', async () => {
    const first = keyIn(await environments('create', 'Staging', 'Umbrella'))
    const second = keyIn(await environments('create', 'Production', 'Umbrella'))
    expect([await statusOf(first), await statusOf(second)]).toEqual([200, 200])
    await h.send('POST', '/v2/topics', { key: first, body: { key: 'a' } })
    expect((await h.send('GET', '/v2/topics', { key: second })).body.data).toEqual([])
    const listed = (await environments('list')).split('\n').filter((line) => line.includes('"Umbrella"'))
    expect(listed.map((line) => line.split('  ')[1])).toEqual(['Staging', 'Production'])
    expect(new Set(listed.map((line) => line.split('  ')[2])).size).toBe(1)
  })

  test('create: in the first organization when none is named', async () => {
    const [oldest] = (await environments('list')).split('\n')
    const organization = oldest?.split('  ')[2]
    await environments('create', 'Another')
    const made = (await environments('list')).split('\n').find((line) => line.includes('Another'))
    expect(made?.split('  ')[2]).toBe(organization)
  })

  test.each([[], ['create'], ['remove', 'x']])(
    '%j is no command: the refusal names or shows the help',
    async (...args) => {
      await expect(environments(...args)).rejects.toThrow(
        /tidings environments( create)? --help|^Usage: tidings environments /,
      )
    },
  )
})
