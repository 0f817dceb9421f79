import { expect, test } from 'vitest'
import { useHarness } from '../../../test/harness.ts'
import { useImports } from '../../../test/import/run-import.ts'

const h = useHarness()
const { replay, run } = useImports(() => h.url)

test('tenants of which the first is deleted between two pages all come', async () => {
  const to = await h.environment()
  const tenants = Array.from({ length: 230 }, (_, n) => ({ _id: `t${n}`, identifier: `acme-${n}`, name: `A ${n}` }))
  let pages = 0
  const before = (path: string) => {
    if (path === '/v1/tenants' && ++pages === 2) tenants.shift()
    return undefined
  }
  const { text } = await run(await replay({ tenants }, { before }), to, '--only', 'contexts')
  expect((await to.get('/v1/tenants/acme-100')).status).toBe(200)
  expect(text).toMatch(/^tenants +230 +230 +0 +0 +0/m)
})

test('tenants without an end are a fault; the contexts come all the same', async () => {
  const to = await h.environment()
  const body = { data: [{ _id: 't', identifier: 'acme', name: 'A' }], hasMore: true }
  const before = (path: string) => (path === '/v1/tenants' ? { status: 200, body } : undefined)
  const from = await replay({ contexts: [{ _id: 'c', type: 'team', id: 'red', data: {} }] }, { before })
  const { code, text } = await run(from, to, '--only', 'contexts')
  expect([code, text]).toEqual([1, expect.stringContaining('again and again')])
  expect(from.calls.length).toBeLessThan(20)
  expect((await to.get('/v2/contexts/team/red')).status).toBe(200)
  // What was read before is counted.
  expect(text).toMatch(/^tenants +1 +1 +0 +0 +0/m)
})
