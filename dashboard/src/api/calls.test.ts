import { expectTypeOf, test } from 'vitest'
import type { Api, BodyOf, PathWith } from './calls.ts'
import type { Topic } from './types.ts'

// Read by tsc, and never run: each line that must not compile says so, and fails `npm run types` if it does.
export async function refusedByTheCompiler(api: Api) {
  // @ts-expect-error no such path
  await api.get('/v2/topic/{topicKey}', { path: { topicKey: 'k' } })
  // @ts-expect-error the path has no such method
  await api.patch('/v1/api-keys/{id}', { path: { id: 'k' } })
  // @ts-expect-error the name in the path is missing
  await api.get('/v2/topics/{topicKey}')
  // @ts-expect-error another name
  await api.get('/v2/topics/{topicKey}', { path: { key: 'k' } })
  // @ts-expect-error no such filter
  await api.get('/v2/topics', { query: { search: 'x' } })
  // @ts-expect-error a filter of another kind
  await api.get('/v2/topics', { query: { limit: 'x' } })
  // @ts-expect-error the body is missing
  await api.post('/v2/topics')
  // @ts-expect-error a required field is missing
  await api.post('/v2/topics', { body: { name: 'x' } })
  // @ts-expect-error no such field
  await api.post('/v2/topics', { body: { key: 'k', title: 'x' } })
  // @ts-expect-error this route takes no body
  await api.get('/v2/topics', { body: {} })
  const topic = await api.get('/v2/topics/{topicKey}', { path: { topicKey: 'k' } })
  // @ts-expect-error no such field in the reply
  return topic.title
}

test('a call gives what the description says', () => {
  type Got = Awaited<ReturnType<typeof got>>
  const got = (api: Api) => api.get('/v2/topics/{topicKey}', { path: { topicKey: 'k' } })
  expectTypeOf<Got>().toEqualTypeOf<Topic>()
  const gone = (api: Api) => api.delete('/v1/api-keys/{id}', { path: { id: 'k' } })
  expectTypeOf<Awaited<ReturnType<typeof gone>>>().toEqualTypeOf<undefined>()
  expectTypeOf<'/v2/topics' extends PathWith<'patch'> ? true : false>().toEqualTypeOf<false>()
  expectTypeOf<BodyOf<'post', '/v2/topics'>['key']>().toEqualTypeOf<string>()
})
