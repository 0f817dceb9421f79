import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib'
import { exchange, openRaw, statusOf } from '../../hostile/raw-socket.ts'
import { send, sendPatiently } from '../../lib/http.ts'
import { at } from '../../lib/json.ts'
import { inParallel, times } from '../../lib/parallel.ts'
import { collectFaults, expectAtLeast, expectEqual, expectThat } from '../../lib/red.ts'
import { checkRefusal, headersFor, type InputStage, withBody } from './stage.ts'

const limitBytes = 1024 * 1024

/** More than the route takes: refused by the announced length, or as soon as it has come; never stored up. */
export async function oversizedBodies(stage: InputStage): Promise<string> {
  const { node, tenant } = stage
  const frame = '{"subscriberId":"big","ignored":""}'
  const body = (length: number) => frame.replace('""', `"${'x'.repeat(length - frame.length)}"`)
  const post = (raw: string) => send(node.url, 'POST', '/v2/subscribers', { key: tenant.key, raw })
  expectEqual((await post(body(limitBytes))).status, 201, 'a body of exactly the limit')
  expectEqual((await post(body(limitBytes + 1))).status, 413, 'a body of one byte more')

  const key = `ApiKey ${tenant.key}`
  const head = (method: string, path: string, extra: string, authorization = key) =>
    `${method} ${path} HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\ncontent-type: application/json\r\n${extra}\r\n\r\n`
  let announced = 0
  for (const op of withBody(stage)) {
    const { method, path } = op
    const { authorization } = await headersFor(stage, op)
    const answer = await exchange(
      node.url,
      head(method, path.replaceAll(/\{\w+\}/g, 'x'), 'content-length: 99999999999', authorization),
    )
    expectEqual(statusOf(answer), 413, `${method} ${path} announcing 100 GB: ${answer}`)
    announced++
  }
  // Nobody knows its length beforehand: cut when the limit is passed, not after 64 MB.
  const chunked = await inParallel(
    times(8, (i) => i),
    8,
    async () => {
      const raw = await openRaw(node.url)
      raw.socket.write(head('POST', '/v2/subscribers', 'transfer-encoding: chunked'))
      const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536, 'x'), Buffer.from('\r\n')])
      let sent = 0
      for (; sent < 1_000 && !raw.isClosed() && raw.received() === ''; sent++) {
        if (!raw.socket.write(chunk))
          await new Promise<void>((resolve) => raw.socket.once('drain', resolve).once('close', resolve))
      }
      await raw.closedWithin(500)
      raw.socket.destroy()
      const status = statusOf(raw.received())
      expectThat(status === 413 || (status === 0 && raw.isClosed()), `endless chunks: ${status} after ${sent} chunks`)
      expectThat(sent < 1_000, 'endless chunks were all taken')
      return sent
    },
  )
  return `${announced} operations announced 100 GB, ${chunked.length} endless uploads cut: 413; exactly 1 MB is taken`
}

/** Small on the wire, huge in memory. */
export async function compressionBombs({ node, tenant, world }: InputStage): Promise<string> {
  const [megabytes, each] = world.small ? [16, 2] : [200, 12]
  const plain = Buffer.concat([
    Buffer.from('{"subscriberId":"'),
    Buffer.alloc(megabytes * limitBytes, 'a'),
    Buffer.from('"}'),
  ])
  const bombs = {
    gzip: gzipSync(plain, { level: 9 }),
    deflate: deflateSync(plain, { level: 9 }),
    br: brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }),
  }
  const faults = collectFaults()
  const before = node.memoryMb('VmRSS')
  const jobs = Object.entries(bombs).flatMap(([encoding, raw]) => times(each, () => ({ encoding, raw })))
  await inParallel(jobs, 12, async ({ encoding, raw }) => {
    const headers = { 'content-encoding': encoding }
    const reply = await send(node.url, 'POST', '/v2/subscribers', { key: tenant.key, raw, headers })
    checkRefusal(reply, `${encoding} bomb`, faults)
    if (reply.status !== 413) faults.add(`${encoding} bomb of ${raw.length} bytes: ${reply.status} ${reply.text}`)
  })
  const broken: [string, Buffer | string][] = [
    ['gzip', 'not gzip'],
    ['gzip', bombs.gzip.subarray(0, 1000)],
    ['br', bombs.gzip],
    ['gzip, gzip', gzipSync(bombs.gzip)],
    ['bogus', '{}'],
    ['deflate', Buffer.alloc(100)],
  ]
  for (const [encoding, raw] of broken) {
    const headers = { 'content-encoding': encoding }
    const reply = await send(node.url, 'POST', '/v2/subscribers', { key: tenant.key, raw, headers })
    checkRefusal(reply, `broken ${encoding}`, faults)
    if (reply.status < 400) faults.add(`broken ${encoding}: ${reply.status} ${reply.text}`)
  }
  const honest = gzipSync('{"subscriberId":"packed"}')
  const taken = await send(node.url, 'POST', '/v2/subscribers', {
    key: tenant.key,
    raw: honest,
    headers: { 'content-encoding': 'gzip' },
  })
  expectEqual(at(taken.body, 'subscriberId'), 'packed', 'an honest gzip body')
  faults.end()
  const grown = node.memoryMb('VmHWM') - before
  expectThat(grown < 300, `${jobs.length} bombs made the node grow by ${grown} MB`)
  expectAtLeast(jobs.length, 3 * each, 'bombs')
  return `${jobs.length} bombs of ${megabytes} MB in gzip, deflate, br: 413, at most ${Math.max(grown, 0)} MB more; ${broken.length} broken ones refused`
}

/** A hundred thousand levels, in every body. */
export async function deepNesting(stage: InputStage): Promise<string> {
  const { node, tenant } = stage
  const deep = 100_000
  const shapes = [
    '['.repeat(deep) + ']'.repeat(deep),
    `${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`,
    `{"subscriberId":"deep","data":${'{"a":['.repeat(deep / 2)}1${']}'.repeat(deep / 2)}}`,
    '['.repeat(deep),
    `{"data":${'[{"a":'.repeat(40)}1${'}]'.repeat(40)}}`,
  ]
  const faults = collectFaults()
  let sent = 0
  for (const op of withBody(stage)) {
    const { method, path } = op
    const headers = await headersFor(stage, op)
    for (const raw of shapes) {
      const reply = await sendPatiently(node.url, method, path.replaceAll(/\{\w+\}/g, 'x'), {
        key: tenant.key,
        headers,
        raw,
      })
      checkRefusal(reply, `${method} ${path} depth`, faults)
      // A hundred thousand levels are more than a browser may send.
      const wanted = path.startsWith('/v1/inbox/') && raw.length > 64 * 1024 ? 413 : 400
      if (reply.status !== wanted) faults.add(`${method} ${path}: depth answered with ${reply.status} ${reply.text}`)
      sent++
    }
  }
  faults.end()
  expectAtLeast(sent, 60, 'deep bodies')
  return `${sent} bodies of up to 100,000 levels: 400`
}
