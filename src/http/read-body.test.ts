import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { useSharedHarness } from '../../test/harness.ts'

const h = useSharedHarness()
const path = '/v1/tenants'
const limit = 1024 * 1024

/** A tenant whose JSON has exactly this many bytes. */
function tenantOf(bytes: number): string {
  const frame = JSON.stringify({ identifier: 't', data: { a: '' } })
  return frame.replace('""', `"${'x'.repeat(bytes - frame.length)}"`)
}

async function post(raw: string | Uint8Array, headers: Record<string, string> = {}) {
  const env = await h.environment()
  return env.send('POST', path, { raw, headers })
}

const codings = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }
type Coding = keyof typeof codings
const codingNames: Coding[] = ['gzip', 'deflate', 'br']

describe('content-type', () => {
  test.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json ; charset=utf-8',
    'application/merge-patch+json',
    'application/vnd.api+json;v=1',
  ])('%s is read', async (type) => {
    expect((await post('{"identifier":"a"}', { 'content-type': type })).status).toBe(201)
  })

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/json5',
    'text/json',
    'json',
    'x',
    ';',
  ])('%s is 415', async (type) => {
    const reply = await post('{"identifier":"a"}', { 'content-type': type })
    expect(reply).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } })
  })

  test('a body without one is 415', async () => {
    const env = await h.environment()
    const body = new Blob(['{"identifier":"a"}'])
    const reply = await fetch(h.url + path, { method: 'POST', body, headers: { authorization: `ApiKey ${env.key}` } })
    expect(reply.status).toBe(415)
  })

  test('no body needs none, and may carry any', async () => {
    const env = await h.environment()
    for (const type of ['application/json', 'text/plain']) {
      await env.post(path, { identifier: 'a' })
      const gone = await env.send('DELETE', `${path}/a`, { headers: { 'content-type': type } })
      expect(gone.status, type).toBe(204)
    }
    expect((await env.send('PATCH', `${path}/a`, { headers: { 'content-type': 'application/json' } })).status).toBe(422)
    expect((await env.send('POST', path)).status).toBe(422)
  })
})

describe('JSON', () => {
  test.each([
    '',
    '{',
    '{"a":}',
    "{'identifier':'a'}",
    '{"identifier":"a",}',
    'undefined',
    'NaN',
    '[1,]',
    '{} {}',
    '\u0000',
  ])('%j is no JSON: 400, or 422 where there is nothing at all', async (raw) => {
    const reply = await post(raw)
    expect(reply.body.code).toBe(raw === '' ? 'validation_failed' : 'malformed_json')
  })

  test.each([
    ['a cut character', [0xc3]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['a lone surrogate in bytes', [0xed, 0xa0, 0x80]],
    ['a byte of no encoding', [0xff]],
    ['Latin-1', [0xe9]],
  ])('%s is not UTF-8: 400', async (_name, bytes) => {
    const raw = Buffer.concat([Buffer.from('{"identifier":"'), Buffer.from(bytes), Buffer.from('"}')])
    expect((await post(raw)).body.code).toBe('malformed_json')
  })

  test('a byte order mark is taken for what it is', async () => {
    expect((await post('\ufeff{"identifier":"a"}')).status).toBe(201)
  })

  const refused = (text: string) => `{"identifier":"a","data":${text}}`
  test.each([
    ['NUL in a text', refused('{"a":"x\\u0000"}'), 'data.a'],
    ['NUL in a key', refused('{"x\\u0000":1}'), 'data'],
    ['NUL far inside', refused('{"a":[1,{"b":"\\u0000"}]}'), 'data.a.1.b'],
    ['a lone high surrogate', refused('{"a":"\\ud800"}'), 'data.a'],
    ['a lone low surrogate', refused('{"a":"\\udc00x"}'), 'data.a'],
    ['a pair the wrong way round', refused('{"a":"\\udc00\\ud800"}'), 'data.a'],
    ['half a character in a key', refused('{"\\ud83d":1}'), 'data'],
    ['__proto__', refused('{"__proto__":{"a":1}}'), '__proto__'],
    ['__proto__ at the top', '{"__proto__":1,"identifier":"a"}', '__proto__'],
    ['__proto__ spelt otherwise', refused('{"\\u005f_proto__":1}'), '__proto__'],
    ['constructor.prototype', refused('{"constructor":{"prototype":{"a":1}}}'), 'constructor'],
    ['__proto__ in a list', refused('{"a":[[{"__proto__":1}]]}'), '__proto__'],
  ])('%s is 400 naming the place', async (_name, raw, place) => {
    const reply = await post(raw)
    expect(reply).toMatchObject({ status: 400, body: { code: 'refused_content' } })
    expect(reply.body.message).toContain(place)
  })

  test.each(['1e400', '-1e309', '1797693134862315700000e310'])(
    '%s is past a double: 422, never null',
    async (number) => {
      const reply = await post(refused(`{"a":[0,{"n":${number}}]}`))
      expect([reply.status, Object.keys(reply.body.errors)]).toEqual([422, ['data.a.1.n']])
    },
  )

  test.each([
    ['a whole pair', '{"a":"\\ud83d\\ude42"}', { a: '🙂' }],
    ['constructor without prototype', '{"constructor":{"name":"x"}}', { constructor: { name: 'x' } }],
    ['prototype alone', '{"prototype":1}', { prototype: 1 }],
    ['names of methods', '{"toString":1,"hasOwnProperty":null}', { toString: 1, hasOwnProperty: null }],
    [
      'numbers at the edge of a double',
      '{"a":[1.7976931348623157e308,-0,5e-324]}',
      { a: [1.7976931348623157e308, 0, 5e-324] },
    ],
    ['control characters', '{"a":"\\u0001\\u001f\\u2028"}', { a: '\u0001\u001f\u2028' }],
  ])('%s is the caller’s business and comes back as it was', async (_name, text, data) => {
    expect((await post(refused(text))).body.data).toEqual(data)
  })

  const nested = (depth: number) => refused(`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`)
  test('64 levels are read, one more is 400, a hundred thousand too', async () => {
    // The body and data are the first two levels.
    expect((await post(nested(62))).status).toBe(201)
    for (const depth of [63, 100, 100_000]) expect((await post(nested(depth))).body.code).toBe('refused_content')
    const objects = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`
    expect((await post(refused(objects))).body.code).toBe('refused_content')
  })

  test('a megabyte of faults is one short reply, and telling them does not keep others waiting', async () => {
    const env = await h.environment()
    // A million faults: four in each of these children.
    const conditions = [{ children: Array(300_000).fill({}) }]
    const reply = await env.post('/v1/integrations', { providerId: 'slack', channel: 'chat', conditions })
    expect(reply.status).toBe(422)
    expect(Object.keys(reply.body.errors)).toHaveLength(1)
  })
})

describe('size', () => {
  test('1 MB is read to the byte, one byte more is 413', async () => {
    expect((await post(tenantOf(limit))).status).toBe(201)
    expect(await post(tenantOf(limit + 1))).toMatchObject({ status: 413, body: { code: 'body_too_large' } })
  })

  test('without a content-length the same limit holds', async () => {
    const env = await h.environment()
    const send = (bytes: number) =>
      fetch(h.url + path, {
        method: 'POST',
        headers: { authorization: `ApiKey ${env.key}`, 'content-type': 'application/json' },
        body: new Blob([tenantOf(bytes)]).stream(),
        duplex: 'half',
      }).then((reply) => reply.status)
    expect(await send(limit)).toBe(201)
    expect(await send(limit + 1)).toBe(413)
  })

  test('escaped characters: a bulk may be written in nothing else, one event may not hold a million', async () => {
    const env = await h.environment()
    const escaped = (count: number) => `"${'\\u6587'.repeat(count)}"`
    const event = (count: number) => `{"name":"none","to":"ada","payload":{"text":${escaped(count)}}}`
    const bulk = `{"events":[${Array.from({ length: 40 }, () => event(50_000)).join()}]}`
    expect((await env.send('POST', '/v1/events/trigger/bulk', { raw: bulk })).status).toBe(201)
    const single = await env.send('POST', '/v1/events/trigger', { raw: event(1_000_000) })
    expect(single).toMatchObject({ status: 413, body: { message: expect.stringContaining('500000 escaped') } })
  })

  test('no key, no reading: a huge body without one is 401', async () => {
    expect((await h.send('POST', path, { raw: tenantOf(limit + 1) })).status).toBe(401)
  })
})

describe.each(codingNames)('content-encoding: %s', (coding) => {
  const pack = codings[coding]
  const headers = { 'content-encoding': coding }

  test('is unpacked; the limit holds for what it unpacks to, to the byte', async () => {
    expect((await post(pack('{"identifier":"a"}'), headers)).status).toBe(201)
    expect((await post(pack('{"identifier":"a"}'), { 'content-encoding': ` ${coding.toUpperCase()} ` })).status).toBe(
      201,
    )
    expect((await post(pack(tenantOf(limit)), headers)).status).toBe(201)
    expect((await post(pack(tenantOf(limit + 1)), headers)).status).toBe(413)
  })

  test('a bomb of 20 MB is 413', async () => {
    const bomb = pack(Buffer.alloc(20 * limit))
    expect(bomb.length).toBeLessThan(limit)
    expect((await post(bomb, headers)).body.code).toBe('body_too_large')
  })

  test('bytes of another kind, or cut off, are 400', async () => {
    expect((await post('{"identifier":"a"}', headers)).body.code).toBe('malformed_request')
    const packed = pack(JSON.stringify({ identifier: 'a', data: { a: 'b'.repeat(500) } }))
    expect((await post(packed.subarray(0, -6), headers)).body.code).toBe('malformed_request')
  })
})

test.each(['zstd', 'compress', 'gzip, gzip', 'x'])('content-encoding: %s is 415', async (coding) => {
  const reply = await post(gzipSync('{"identifier":"a"}'), { 'content-encoding': coding })
  expect(reply).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } })
})

test('content-encoding: identity is none; raw deflate is not what deflate means', async () => {
  expect((await post('{"identifier":"a"}', { 'content-encoding': 'identity' })).status).toBe(201)
  const raw = deflateRawSync('{"identifier":"a"}')
  expect((await post(raw, { 'content-encoding': 'deflate' })).body.code).toBe('malformed_request')
})
