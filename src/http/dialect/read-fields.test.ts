import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asOwn } from '../../../test/client/own-words.ts'
import { useHarness } from '../../../test/harness.ts'
import { makeWorkflow } from '../../../test/pipeline.ts'
import { readFields } from './read-fields.ts'

const h = useHarness({ VENDOR_NAMES: 'novu' })
const form = { 'content-type': 'application/x-www-form-urlencoded' }

test.each([
  ['a=1&b=', { a: '1', b: '' }],
  ['to[subscriberId]=ada&to[data][x]=%C3%A4+b', { to: { subscriberId: 'ada', data: { x: 'ä b' } } }],
  ['tags[0]=a&tags[1]=b', { tags: ['a', 'b'] }],
  ['tags[]=a&tags[]=b', { tags: ['a', 'b'] }],
  ['events[0][to][0]=ada&events[0][name]=n&events[1][to]=bob', { events: [{ to: ['ada'], name: 'n' }, { to: 'bob' }] }],
  ['a[1]=x&a[7]=y', { a: { 1: 'x', 7: 'y' } }],
  ['a[b=1&[c]=2&d]=3', { 'a[b': '1', '[c]': '2', 'd]': '3' }],
])('%s', (text, body) => expect(readFields(text)).toEqual(body))

test('whatever is sent is read or refused', () => {
  const piece = fc.constantFrom('a', '[', ']', '[]', '=', '&', '%', '%zz', '__proto__', '[0]', '+', '\0', 'ü')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      try {
        expect(Object.getPrototypeOf(readFields(pieces.join('')))).toBe(Object.prototype)
      } catch (error) {
        expect(error).toMatchObject({ code: 'malformed_request' })
      }
      expect(Object.hasOwn(Object.prototype, 'a')).toBe(false)
    }),
  )
})

test('too many fields, too deep', () => {
  expect(() => readFields('a=1&'.repeat(10_001))).toThrow('more than 10000 fields')
  expect(() => readFields(`a${'[b]'.repeat(100_000)}=1`)).toThrow('cannot be read')
})

test('a trigger and a subscriber come as a form in the dialect, and only there', async () => {
  const env = await h.environment()
  await makeWorkflow(env)
  const send = (path: string, raw: string, headers: Record<string, string> = {}) =>
    h.send('POST', path, { key: env.key, raw, headers: { ...form, ...headers } })
  const made = await send('/v1/subscribers', 'subscriberId=ada&firstName=Ada&data[plan]=pro')
  expect(made).toMatchObject({ status: 201, body: { data: { subscriberId: 'ada', data: { plan: 'pro' } } } })
  const sent = await send('/v1/events/trigger', 'name=hello&to[0]=ada&payload[a][b]=c&transactionId=t')
  expect(sent).toMatchObject({ status: 201, body: { data: { transactionId: 't' } } })
  expect((await env.get('/v1/notifications?transactionId=t')).body.data).toMatchObject([{ payload: { a: { b: 'c' } } }])
  expect((await send('/v1/subscribers', 'subscriberId=%00')).body.code).toBe('refused_content')
  expect((await send('/v1/subscribers', '__proto__[a]=b')).status).toBe(400)
  // In our own words, without a key, and where nobody is known by one.
  expect((await send('/v2/topics', 'key=a', { 'tidings-replies': 'own' })).status).toBe(415)
  expect((await asOwn(h.send)('POST', '/v2/topics', { key: env.key, raw: 'key=a', headers: form })).status).toBe(415)
  expect(
    (await h.send('POST', '/session', { raw: `key=${env.key}`, headers: { ...form, 'x-tidings-session': '1' } }))
      .status,
  ).toBe(415)
})
