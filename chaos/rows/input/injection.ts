import { hostileTexts, sqlTexts } from '../../hostile/hostile.ts'
import { exchange, statusOf } from '../../hostile/raw-socket.ts'
import { type Reply, send } from '../../lib/http.ts'
import { at, textAt } from '../../lib/json.ts'
import { inParallel } from '../../lib/parallel.ts'
import { collectFaults, expectAtLeast, expectEqual } from '../../lib/red.ts'
import { rowsOf } from '../../lib/tenant-rows.ts'
import { checkRefusal, type InputStage, parametersIn } from './stage.ts'

/** SQL in every filter, order, cursor and path: data at most, never a statement. */
export async function sqlEverywhere(stage: InputStage): Promise<string> {
  const { node, tenant, world } = stage
  const faults = collectFaults()
  const victim = await world.tenant()
  const secret = 'victims-name-01a5'
  await send(node.url, 'POST', '/v2/subscribers', {
    key: victim.key,
    body: { subscriberId: secret, firstName: secret },
  })
  await send(node.url, 'POST', '/v2/topics', { key: victim.key, body: { key: secret, name: secret } })
  const before = await rowsOf(world, victim.environmentId)

  const urls = stage.operations.flatMap((op) => {
    const path = (text: string) => op.path.replaceAll(/\{\w+\}/g, encodeURIComponent(text))
    const inPath = parametersIn(op, 'path').length > 0 ? sqlTexts.map((text) => path(text)) : []
    const inQuery = parametersIn(op, 'query').flatMap((name) =>
      sqlTexts.map((text) => `${path('x')}?${name}=${encodeURIComponent(text)}`),
    )
    return [...inPath, ...inQuery].map((url) => ({ method: op.method, url }))
  })
  let slowest = 0
  await inParallel(urls, 8, async ({ method, url }) => {
    const reply = await send(node.url, method, url, { key: tenant.key, ...(method === 'GET' ? {} : { body: {} }) })
    checkRefusal(reply, `${method} ${url}`, faults)
    if (reply.text.includes(secret)) faults.add(`${method} ${url} shows another environment: ${reply.text}`)
    slowest = Math.max(slowest, reply.ms)
  })
  let kept = 0
  for (const text of sqlTexts) {
    const body = { subscriberId: `sql ${text}`, firstName: text, data: { [text]: text } }
    const made = await send(node.url, 'POST', '/v2/subscribers', { key: tenant.key, body })
    const path = `/v2/subscribers/${encodeURIComponent(`sql ${text}`)}`
    const read = await send(node.url, 'GET', path, { key: tenant.key })
    if (textAt(read.body, 'firstName') !== text || textAt(read.body, 'data', text) !== text)
      faults.add(`${text} was not kept as it is: ${made.text} ${read.text}`)
    kept++
  }
  faults.end()
  expectEqual(await rowsOf(world, victim.environmentId), before, 'the rows of another environment')
  expectAtLeast(urls.length, 400, 'requests')
  if (slowest > 2_500) faults.add(`something slept: ${slowest} ms`)
  faults.end()
  return `${urls.length} filters, orders, cursors and paths, ${kept} values kept as they are; slowest ${Math.round(slowest)} ms; other rows untouched`
}

/** CR, LF and their cousins in ids and headers: no header of a reply is ever the sender's. */
export async function headerInjection(stage: InputStage): Promise<string> {
  const { node, tenant } = stage
  const faults = collectFaults()
  let sent = 0
  const check = (reply: Reply, what: string, wanted: readonly number[]) => {
    sent++
    checkRefusal(reply, what, faults)
    if (reply.headers.has('x-evil') || reply.headers.has('set-cookie'))
      faults.add(`${what}: a header of the sender came back`)
    if (!wanted.includes(reply.status)) faults.add(`${what}: ${reply.status} ${reply.text}`)
  }
  const breaks = [
    'a\r\nx-evil: 1',
    'a\nset-cookie: b=1',
    '\r',
    'a\u0085b',
    'a\u2028b',
    'a\u2029b',
    'a\u000bb',
    'a\u0001b',
    'a\u007fb',
  ]
  for (const text of breaks) {
    const encoded = encodeURIComponent(text)
    // U+2028 is a letter like any other in an identifier, but not in a mail address or a header.
    const inIds = /\p{Cc}/u.test(text) ? [422] : [200, 201, 422]
    const post = (path: string, body: unknown) => send(node.url, 'POST', path, { key: tenant.key, body })
    check(await post('/v2/subscribers', { subscriberId: text }), `subscriberId ${encoded}`, inIds)
    check(await post('/v2/subscribers', { subscriberId: 'a', email: `${text}@example.com` }), `email ${encoded}`, [422])
    check(await post('/v2/subscribers', { subscriberId: 'a', locale: text }), `locale ${encoded}`, [422])
    check(await post('/v2/subscribers', { subscriberId: 'a', timezone: text }), `timezone ${encoded}`, [422])
    check(await post('/v2/topics', { key: text }), `topic key ${encoded}`, [422])
    check(await post('/v1/tenants', { identifier: text }), `tenant ${encoded}`, [...inIds, 409])
    check(await post('/v2/contexts', { type: 'tenant', id: text }), `context id ${encoded}`, [...inIds, 409])
    check(await post('/v2/contexts', { type: text, id: 'a' }), `context type ${encoded}`, [...inIds, 409])
    check(await post('/v1/environment-variables', { key: text }), `variable ${encoded}`, [422])
    const sms = {
      providerId: 'generic-sms',
      channel: 'sms',
      identifier: `h ${encoded}`,
      credentials: { apiKeyRequestHeader: text },
    }
    check(await post('/v1/integrations', sms), `header name ${encoded}`, [422])
    for (const path of [
      ...['/v2/subscribers/', '/v2/topics/', '/v1/tenants/', '/v1/integrations/'],
      ...['/v2/contexts/tenant/', '/v1/environment-variables/'],
    ])
      check(
        await send(node.url, path.includes('v1/i') ? 'DELETE' : 'GET', path + encoded, { key: tenant.key }),
        path + encoded,
        [404, 200],
      )
  }
  for (const id of [
    ...hostileTexts.filter((text) => /^[\x20-\x7e]+$/.test(text) && text.length < 4_000),
    '<b>',
    'a b',
    'x'.repeat(129),
  ]) {
    const reply = await send(node.url, 'GET', '/v2/topics', { key: tenant.key, headers: { 'x-request-id': id } })
    check(reply, `x-request-id ${id}`, [200])
    const echoed = reply.headers.get('x-request-id')
    if (echoed === id && !/^[A-Za-z0-9._-]{1,128}$/.test(id)) faults.add(`x-request-id "${id}" came back`)
  }
  for (const key of ['', ' ', 'a b', 'x'.repeat(256), 'é', '"a", "b"']) {
    const headers = { 'idempotency-key': key }
    check(
      await send(node.url, 'POST', '/v2/topics', { key: tenant.key, body: { key: 'k' }, headers }),
      `idempotency-key ${key}`,
      [400],
    )
  }
  const smuggled = await smuggling(stage)
  faults.end()
  expectAtLeast(sent, 120, 'requests')
  return `${sent} ids, fields and headers with line breaks refused or inert; ${smuggled} ambiguous framings refused`
}

/** Two readers of one request must not disagree about where it ends. */
async function smuggling({ node, tenant }: InputStage): Promise<number> {
  const start = `POST /v2/topics HTTP/1.1\r\nhost: x\r\nauthorization: ApiKey ${tenant.key}\r\ncontent-type: application/json\r\n`
  const body = '{"key":"smuggled"}'
  const requests = [
    `${start}content-length: ${body.length}\r\ntransfer-encoding: chunked\r\n\r\n${body}`,
    `${start}content-length: 5\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    `${start}transfer-encoding: xchunked\r\n\r\n${body}`,
    `${start}content-length: +18\r\n\r\n${body}`,
    `${start}content-length: -1\r\n\r\n${body}`,
    `${start}transfer-encoding: chunked\r\n\r\nzz\r\n${body}\r\n0\r\n\r\n`,
    `${start}x: a\r\n folded: b\r\ncontent-length : 18\r\n\r\n${body}`,
    `${start}x\0y: 1\r\ncontent-length: 18\r\n\r\n${body}`,
    `GET /v2/topics HTTP/1.1\r\nauthorization: ApiKey ${tenant.key}\r\n\r\n`,
    'GET / HTTP/9.9\r\nhost: x\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    `GET /v2/topics HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
  ]
  for (const request of requests) {
    const answer = await exchange(node.url, Buffer.from(request, 'latin1'))
    const status = statusOf(answer)
    expectEqual(status === 431 || status === 400, true, `${request.slice(0, 300)} → ${answer}`)
    const shown: unknown = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))
    expectEqual(at(shown, 'statusCode'), status, `the body of a ${status}: ${answer}`)
  }
  const made = await send(node.url, 'GET', '/v2/topics/smuggled', { key: tenant.key })
  expectEqual(made.status, 404, 'a smuggled topic')
  return requests.length
}
