import { expect, test } from 'vitest'
import type { OpenRoute } from '../../src/http/define-route.ts'
import { uuid7 } from '../../src/lib/uuid7.ts'
import type { Fixture } from '../fixture-makers.ts'
import type { Harness } from '../harness.ts'
import { rowsOf } from './tenant-rows.ts'

/** What holds for all of them; their own tests say which calls are good. */
export function openContract(h: Harness, { route, fixture }: { route: OpenRoute; fixture: Fixture }): void {
  const call = (path: string, sent: { body?: unknown; raw?: string; headers?: Record<string, string> }) =>
    h.send(route.method, path, { ...sent, key: null })

  test('succeeds as its fixture says, whoever asks', async () => {
    const { path, body, headers = {} } = await fixture.arrange(await h.environment(), h.environment)
    expect((await call(path, { body, headers })).status).toBe(route.status)
  })

  test('without its proof it is refused, a key of the environment is none, and nothing happens', async () => {
    const env = await h.environment()
    const { path, body } = await fixture.arrange(env, h.environment)
    const before = await rowsOf(h, env)
    // Of a GET the query is the proof, and outsiders learn nothing from its refusal.
    const refusal = route.method === 'GET' ? 404 : 401
    const [start, proof] = [path.slice(0, path.lastIndexOf('/') + 1), path.slice(path.lastIndexOf('/') + 1)]
    const other = route.auth === 'link' ? forged(proof) : uuid7(new Date())
    for (const headers of [{}, { authorization: `ApiKey ${env.key}` }]) {
      expect((await call(start + other, { body, headers })).status).toBe(404)
      if (route.auth === 'signature') expect((await call(unproved(path), { body, headers })).status).toBe(refusal)
    }
    for (const odd of ['%00', '..', 'sealed.t1.AAAA', 'x'.repeat(3_000), '%ff']) {
      const { status } = await call(start + odd, { body })
      expect([400, 404], odd).toContain(status)
    }
    expect(await rowsOf(h, env)).toEqual(before)
  })

  test.runIf(route.method === 'POST')('takes any kind of body, up to 1 MB', async () => {
    const { path, headers = {} } = await fixture.arrange(await h.environment(), h.environment)
    const types = ['application/json', 'application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data']
    for (const type of types) {
      for (const raw of ['{"a":', 'a=b&c=%ff', '\0', '[[[[', 'null', '[null]', '{"event-data":[]}']) {
        const { status } = await call(path, { raw, headers: { ...headers, 'content-type': type } })
        expect(status, `${type} ${raw}`).toBe(200)
      }
    }
    expect((await call(path, { raw: 'x'.repeat(1024 * 1024 + 1), headers })).status).toBe(413)
  })
}

const unproved = (path: string) => path.split('?')[0] ?? ''

/** One bit of the sealed text is changed. */
function forged(token: string): string {
  const at = token.length - 6
  return token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1)
}
