import { beforeAll, describe, expect, test } from 'vitest'
import type { StepFilter } from '../../src/core/workflows/step-filter.ts'
import { useHarness } from '../harness.ts'
import { refused, spoken } from './client-versions.ts'
import { notCalled } from './every-operation.ts'

/** The published client, see client.test.ts: integrations. */
const h = useHarness()
let dialectUrl = ''

beforeAll(async () => {
  dialectUrl = (await h.node({ VENDOR_NAMES: 'novu' })).url
})

const id = expect.stringMatching(/^[0-9a-f-]{36}$/)

describe.each(spoken)('@novu/api $version, $words: integrations', ({ open, errors, operations, dialect }) => {
  const succeeded = new Set<string>()
  const onSuccess = (method: string, path: string) => succeeded.add(`${method} ${path}`)

  async function start() {
    const env = await h.environment()
    return { env, client: open({ serverURL: dialect ? dialectUrl : h.url, secretKey: env.key, onSuccess }) }
  }

  const vips: StepFilter[] = [
    {
      isNegated: false,
      type: 'GROUP',
      value: 'AND',
      children: [{ field: 'vip', value: 'true', operator: 'EQUAL', on: 'payload' }],
    },
  ]

  test('create and update echo what was sent; lists mask it', async () => {
    const { client, env } = await start()
    const { result: created } = await client.integrations.create({
      name: 'SMTP',
      identifier: 'smtp',
      environmentId: env.environmentId,
      providerId: 'nodemailer',
      channel: 'email',
      credentials: {
        host: 'smtp.example.com',
        port: '587',
        user: 'me',
        password: 'a long password',
        secure: false,
        tlsOptions: {},
      },
      active: true,
      check: false,
      conditions: vips,
      configurations: {},
    })
    expect(created).toEqual({
      id,
      environmentId: env.environmentId,
      organizationId: env.organizationId,
      name: 'SMTP',
      identifier: 'smtp',
      providerId: 'nodemailer',
      channel: 'email',
      credentials: {
        host: 'smtp.example.com',
        port: '587',
        user: 'me',
        password: 'a long password',
        secure: false,
      },
      configurations: {},
      active: true,
      deleted: false,
      primary: true,
      conditions: vips,
    })

    const change = { name: 'Mail', credentials: { user: 'you', tlsOptions: {} }, configurations: {}, conditions: [] }
    const { result: updated } = await client.integrations.update(change, String(created.id))
    expect(updated).toEqual({
      ...created,
      name: 'Mail',
      conditions: [],
      credentials: { ...created.credentials, user: 'you', password: '••••word' },
    })
    expect((await client.integrations.list()).result).toEqual([updated])
  })

  test('the least that can be sent is enough', async () => {
    const { client } = await start()
    const { result } = await client.integrations.create({ providerId: 'twilio', channel: 'sms' })
    expect(result).toMatchObject({ name: 'Twilio', credentials: {}, active: false, primary: false, conditions: [] })
  })

  test('setAsPrimary, listActive and delete', async () => {
    const { client } = await start()
    const sendgrid = (name: string) =>
      client.integrations.create({
        name,
        providerId: 'sendgrid',
        channel: 'email',
        credentials: { apiKey: `SG.${name}.0123456789` },
        active: true,
      })
    const { result: first } = await sendgrid('First')
    const { result: second } = await sendgrid('Second')
    await client.integrations.create({ providerId: 'fcm', channel: 'push' })
    expect([first.primary, second.primary]).toEqual([true, false])

    const { result: primary } = await client.integrations.setAsPrimary(String(second.id))
    expect(primary).toMatchObject({ id: second.id, primary: true, credentials: { apiKey: '••••6789' } })
    const { result: active } = await client.integrations.listActive()
    expect(active.map(({ id, primary }) => ({ id, primary }))).toEqual([
      { id: first.id, primary: false },
      { id: second.id, primary: true },
    ])

    const { result: remaining } = await client.integrations.delete(String(second.id))
    expect(remaining.map(({ id, primary, deleted }) => ({ id, primary, deleted }))).toEqual([
      { id: first.id, primary: true, deleted: false },
      { id, primary: false, deleted: false },
    ])
    await refused(client.integrations.delete(String(second.id)), errors.ErrorDto, 'integration_not_found')
  })

  test('every operation of these was called above', () => {
    expect(notCalled('client-integrations.test.ts', { operations, routes: h.routes, succeeded })).toEqual([])
  })
})
