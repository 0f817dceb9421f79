import { expect, test } from 'vitest'
import { type Json, useHarness } from '../../../test/harness.ts'
import { channel, person } from '../../../test/import/recorded.ts'
import { useImports } from '../../../test/import/run-import.ts'

const h = useHarness()
const { replay, run } = useImports(() => h.url)

const hook = (name: string, of = name) => ({
  ...channel('discord', { webhookUrl: `https://hooks.example.com/${of}` }),
  integrationIdentifier: name,
})

test('of several channels of one provider none takes the place of another in silence', async () => {
  const to = await h.environment()
  const from = await replay({ subscribers: [person('ada', { channels: [hook('dA'), hook('dB')] })] })
  const { why } = await run(from, to, '--only', 'subscribers')
  const kept = () => to.get('/v2/subscribers/ada').then(({ body }) => body.channels.map((it: Json) => it.credentials))
  const expected = [{ webhookUrl: 'https://hooks.example.com/dA' }]
  expect(await kept()).toEqual(expected)
  expect(why('ada')).toEqual([
    'there is no integration "dA" here: it is kept with another of its provider',
    'there is no place for "dB" here',
  ])
  expect((await run(from, to, '--only', 'subscribers')).text).toContain('0 created, 0 changed')
  expect(await kept()).toEqual(expected)
  expect((await run(from, to, '--only', 'subscribers', '--verify')).code).toBe(0)
})

test('who is named has the place; with both here, both come', async () => {
  const to = await h.environment()
  const make = (identifier: string) =>
    to.post('/v1/integrations', { providerId: 'discord', channel: 'chat', identifier, name: identifier })
  await make('dB')
  const channels = [hook('dA'), hook('dB')]
  const from = await replay({ subscribers: [person('ada', { channels })] })
  expect((await run(from, to, '--only', 'subscribers')).why('ada')).toEqual(['there is no place for "dA" here'])
  const kept = async () =>
    (await to.get('/v2/subscribers/ada')).body.channels.map((it: Json) => it.credentials.webhookUrl).toSorted()
  expect(await kept()).toEqual(['https://hooks.example.com/dB'])
  await make('dA')
  expect((await run(from, to, '--only', 'subscribers')).why('ada')).toEqual([])
  expect(await kept()).toEqual(['https://hooks.example.com/dA', 'https://hooks.example.com/dB'])
})

test('tokens of several are added up; the same integration twice has one value, and the other is told', async () => {
  const to = await h.environment()
  const tokens = (name: string, token: string) => ({
    ...channel('fcm', { deviceTokens: [token] }),
    integrationIdentifier: name,
  })
  const channels = [tokens('a', 't1'), tokens('b', 't2'), hook('dA'), hook('dA', 'other')]
  const from = await replay({ subscribers: [person('ada', { channels })] })
  const { why } = await run(from, to, '--only', 'subscribers')
  expect(why('ada')).toHaveLength(4)
  const { body } = await to.get('/v2/subscribers/ada')
  const phones = body.channels.find((it: Json) => it.providerId === 'fcm')
  expect(phones.credentials.deviceTokens).toEqual(['t1', 't2'])
  expect((await run(from, to, '--only', 'subscribers')).text).toContain('0 created, 0 changed')
})
