import { type Fixture, unique } from './fixture-makers.ts'
import type { Client, Json } from './harness.ts'

/** Besides the one that is in use; there is at most one. */
async function findSpareKey(env: Client): Promise<string | undefined> {
  const { data } = (await env.get('/v1/api-keys')).body
  return data.find((key: Json) => !key.current && !key.revokedAt)?.id
}

export const apiKeyFixtures: Record<string, Fixture> = {
  'api-keys-list': { foreign: 'nothing named', arrange: async () => ({ path: '/v1/api-keys' }) },
  'api-keys-create': {
    foreign: 'nothing named',
    arrange: async (env) => {
      const spare = await findSpareKey(env)
      if (spare) await env.delete(`/v1/api-keys/${spare}`)
      return {
        path: '/v1/api-keys',
        body: { name: unique('key') },
        otherBody: { name: unique('key') },
        badBodies: [{}, { name: '' }, { name: ' ' }, { name: 7 }, { name: 'x'.repeat(101) }],
      }
    },
  },
  'api-keys-revoke': {
    foreign: 'not found',
    arrange: async (env) => {
      if (!(await findSpareKey(env))) await env.post('/v1/api-keys', { name: unique('key') })
      return { path: `/v1/api-keys/${await findSpareKey(env)}` }
    },
  },
}
