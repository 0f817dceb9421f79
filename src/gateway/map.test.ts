import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useHarness } from '../../test/harness.ts'
import { addEnvironment, move, useCells } from '../../test/peers/gateway.ts'
import { startTcpProxy } from '../../test/peers/tcp-proxy.ts'

const h = useHarness()
const cells = useCells()

const ask = async (url: string, headers: Record<string, string>) => {
  const reply = await fetch(`${url}/v1/topics`, { headers })
  return (await reply.json()) as { cell?: string; code?: string }
}
const place = (environmentId: string, cell: string, generation: number) =>
  sql`
  insert into placement (environment_id, cell, generation) values (${environmentId}, ${cell}, ${generation})
  on conflict (environment_id) do update set cell = excluded.cell, generation = excluded.generation, changed_at = now()
`.execute(h.admin)

function throughProxy(proxy: string): string {
  const url = new URL(h.databaseUrl)
  url.host = new URL(proxy).host
  return url.href
}

const lookAt = async (url: string) => {
  const { map } = (await fetch(`${url}/health`).then((it) => it.json())) as {
    map: { entries: number; ageSeconds: number | null }
  }
  return map
}

test('what the control database says is known within seconds, and the old cell is not asked', async () => {
  const { ca, cb, gateway } = await cells.pair({ CONTROL_DATABASE_URL: h.databaseUrl })
  const { environment, authorization } = addEnvironment(ca)
  await ask(gateway.url, authorization)
  let wasAsked = 0
  ca.state.early = () => {
    wasAsked++
    return false
  }
  move(environment, ca, cb)
  await place(environment.id, 'cb', 2)
  await expect.poll(async () => (await lookAt(gateway.url)).entries).toBeGreaterThan(0)
  await expect
    .poll(() => readFileSync(join(gateway.dataDir, 'gateway-map'), 'utf8'))
    .toContain(`${environment.id} cb 2\n`)
  expect(await ask(gateway.url, authorization)).toEqual({ cell: 'cb' })
  expect(wasAsked).toBe(0)
  expect((await lookAt(gateway.url)).ageSeconds).toBeLessThan(10)
})

test('it starts and works from its file while the control database is away, and learns when it is back', async () => {
  const [ca, cb] = [await cells.cell('ca'), await cells.cell('cb')]
  const [one, two] = [addEnvironment(ca), addEnvironment(ca)]
  move(one.environment, ca, cb)
  const proxy = await startTcpProxy(h.databaseUrl)
  proxy.refuse()
  const dataDir = cells.folder()
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(join(dataDir, 'gateway-map'), `${one.environment.id} cb 2\nhalf a li`)
  const gateway = await cells.gateway(
    { ca: ca.url, cb: cb.url },
    { CONTROL_DATABASE_URL: throughProxy(proxy.url), DATA_DIR: dataDir },
  )
  expect((await lookAt(gateway.url)).entries).toBe(1)
  expect(await ask(gateway.url, one.authorization)).toEqual({ cell: 'cb' })
  expect(await ask(gateway.url, two.authorization)).toEqual({ cell: 'ca' })
  move(two.environment, ca, cb)
  await place(two.environment.id, 'cb', 2)
  proxy.leadTo(h.databaseUrl)
  await expect.poll(() => readFileSync(join(dataDir, 'gateway-map'), 'utf8')).toContain(two.environment.id)
  await proxy.close()
})

test('what a cell told is kept over a restart, and an older word of the control database does not undo it', async () => {
  const [ca, cb] = [await cells.cell('ca'), await cells.cell('cb')]
  const { environment, authorization } = addEnvironment(ca)
  await place(environment.id, 'ca', 1)
  move(environment, ca, cb)
  const settings = { CONTROL_DATABASE_URL: h.databaseUrl, DATA_DIR: cells.folder() }
  const first = await cells.gateway({ ca: ca.url, cb: cb.url }, settings)
  expect(await ask(first.url, authorization)).toEqual({ cell: 'cb' })
  await expect.poll(async () => (await lookAt(first.url)).ageSeconds).not.toBeNull()
  await first.stop()
  const second = await cells.gateway({ ca: ca.url, cb: cb.url }, settings)
  await expect.poll(async () => (await lookAt(second.url)).ageSeconds).not.toBeNull()
  expect(readFileSync(join(settings.DATA_DIR, 'gateway-map'), 'utf8')).toContain(`${environment.id} cb 2\n`)
  expect(readdirSync(settings.DATA_DIR)).toEqual(['gateway-map'])
})

test('an environment that was never moved is no exception', async () => {
  const { ca, gateway } = await cells.pair()
  const { authorization } = addEnvironment(ca)
  await ask(gateway.url, authorization)
  expect((await lookAt(gateway.url)).entries).toBe(0)
  expect(existsSync(join(gateway.dataDir, 'gateway-map'))).toBe(false)
})

test('an environment in a cell that nobody named is answered for', async () => {
  const { ca, gateway } = await cells.pair()
  const { environment, authorization } = addEnvironment(ca)
  Object.assign(environment, { state: 'departed', cell: 'cz', generation: 2 })
  expect((await ask(gateway.url, authorization)).code).toBe('cell_unavailable')
})
