import { isPlainObject } from '../../../src/lib/canonical-json.ts'
import { type Reply, send, sendPatiently } from '../../lib/http.ts'
import { at, listAt } from '../../lib/json.ts'
import { changeAt, pathsTo } from '../../lib/json-paths.ts'
import { inParallel } from '../../lib/parallel.ts'
import { collectFaults, expectAtLeast } from '../../lib/red.ts'
import { arrange, checkRefusal, fullBody, type InputStage, parametersIn, withBody } from './stage.ts'

type Job = { method: string; path: string; headers: Record<string, string>; raw: string | Uint8Array; what: string }

const halves = {
  NUL: 'a\0b',
  'a high half': 'a\ud800',
  'a low half': '\udc00b',
  'halves in the wrong order': '\udfff\ud800',
}

/** What PostgreSQL cannot hold: in every text and every key of every body, in every query and path. */
export async function unstorableText(stage: InputStage): Promise<string> {
  const { node, tenant, client } = stage
  const faults = collectFaults()
  const jobs: Job[] = []
  for (const op of withBody(stage)) {
    const { path, body, headers = {} } = await arrange(client, op)
    const called = { method: op.method, path, headers }
    const full = merge(fullBody(stage, op), body)
    const texts = pathsTo(full, (inner) => typeof inner === 'string')
    const objects = pathsTo(full, isPlainObject)
    for (const [name, text] of Object.entries(halves)) {
      for (const place of texts)
        jobs.push(
          job(
            called,
            changeAt(full, place, () => text),
            `${name} at ${place.join('.')}`,
          ),
        )
      for (const place of objects) {
        const withKey = changeAt(full, place, (inner) => ({ ...Object(inner), [text]: 1 }))
        jobs.push(job(called, withKey, `${name} in a key of ${place.join('.') || 'the body'}`))
      }
    }
    for (const bytes of [[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82]]) {
      const raw = Buffer.concat([Buffer.from('{"name":"'), Buffer.from(bytes), Buffer.from('"}')])
      jobs.push({ ...called, raw, what: 'bytes that are no UTF-8' })
    }
  }
  await inParallel(jobs, 8, async ({ method, path, headers, raw, what }) => {
    const reply = await sendPatiently(node.url, method, path, { key: tenant.key, headers, raw })
    checkRefusal(reply, `${method} ${path}: ${what}`, faults)
    if (reply.status !== 400 && !isFaultOfOne(reply))
      faults.add(`${method} ${path}: ${what} → ${reply.status} ${reply.text}`)
  })
  const urls = await refusedUrls(stage, (reply, what) => {
    checkRefusal(reply, what, faults)
    if (reply.status < 400) faults.add(`${what} → ${reply.status}`)
  })
  faults.end()
  expectAtLeast(jobs.length, 500, 'bodies')
  expectAtLeast(urls, 60, 'addresses')
  return `${jobs.length} bodies and ${urls} queries and paths with NUL, half characters, broken UTF-8: 4xx`
}

async function refusedUrls(stage: InputStage, check: (reply: Reply, what: string) => void): Promise<number> {
  const encoded = ['%00', 'a%00b', '%ED%A0%80', '%FF', '%C0%AF']
  const urls = stage.operations.flatMap((op) => {
    const path = (text: string) => op.path.replaceAll(/\{\w+\}/g, text)
    const inPath = parametersIn(op, 'path').length > 0 ? encoded.map(path) : []
    const inQuery = parametersIn(op, 'query')
      .filter((name) => !['limit', 'page'].includes(name))
      .map((name) => `${path('x')}?${name}=%00`)
    return [...inPath, ...inQuery].map((url) => ({ method: op.method, url }))
  })
  await inParallel(urls, 8, async ({ method, url }) => {
    const body =
      method === 'GET' || method === 'DELETE' ? {} : { body: { name: 'x', isOnline: true, subscriptions: ['x'] } }
    check(await send(stage.node.url, method, url, { key: stage.tenant.key, ...body }), `${method} ${url}`)
  })
  return urls.length
}

/** `__proto__`, and `constructor` holding `prototype`, at every level of every body; and as names everywhere else. */
export async function prototypeKeys(stage: InputStage): Promise<string> {
  const { node, tenant, client } = stage
  const faults = collectFaults()
  const jobs: Job[] = []
  for (const op of withBody(stage)) {
    const { path, body, headers = {} } = await arrange(client, op)
    const called = { method: op.method, path, headers }
    const full = merge(fullBody(stage, op), body)
    for (const place of pathsTo(full, isPlainObject)) {
      const spoilt = (extra: object) => changeAt(full, place, (inner) => ({ ...Object(inner), ...extra }))
      const what = `a prototype key in ${place.join('.') || 'the body'}`
      jobs.push(job(called, spoilt({ ['__proto__']: { polluted: true } }), what))
      jobs.push(job(called, spoilt({ ['__proto__']: 1 }), what))
      jobs.push(job(called, spoilt({ constructor: { prototype: { polluted: true } } }), what))
    }
  }
  await inParallel(jobs, 8, async ({ method, path, headers, raw, what }) => {
    const reply = await sendPatiently(node.url, method, path, { key: tenant.key, headers, raw })
    checkRefusal(reply, `${method} ${path}: ${what}`, faults)
    if (at(reply.body, 'code') !== 'refused_content' && !isFaultOfOne(reply))
      faults.add(`${method} ${path}: ${what} → ${reply.status} ${reply.text}`)
  })
  const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__']
  let asNames = 0
  for (const op of stage.operations) {
    for (const name of names) {
      const path = op.path.replaceAll(/\{\w+\}/g, name)
      const query = [...parametersIn(op, 'query'), name].map((it) => `${it}=${name}`).join('&')
      const body = { providerId: name, channel: name, key: name, name, identifier: name, subscriberId: name }
      const sent = { key: tenant.key, ...(op.method === 'GET' ? {} : { body }) }
      for (const url of [path, `${path}?${query}`, `${path}?${name}[polluted]=1&${name}=2`]) {
        checkRefusal(await send(node.url, op.method, url, sent), `${op.method} ${url}`, faults)
        asNames++
      }
    }
  }
  const after = await send(node.url, 'GET', '/v2/subscribers', { key: tenant.key })
  if (after.status !== 200 || after.text.includes('polluted')) faults.add(`polluted: ${after.text}`)
  faults.end()
  expectAtLeast(jobs.length, 100, 'bodies')
  return `${jobs.length} bodies refused; ${asNames} requests with such names in path, query, body: none 5xx`
}

function job(called: Pick<Job, 'method' | 'path' | 'headers'>, body: unknown, what: string): Job {
  return { ...called, raw: JSON.stringify(body), what }
}

/** The full body for its many places, with what makes it succeed. */
function merge(full: unknown, body: unknown): unknown {
  return isPlainObject(full) && isPlainObject(body) ? { ...full, ...body } : full
}

/** In a bulk the fault is one event's: it is its result, and the others go on. Of content, one resource's: it is named. An
 * import leaves out the field, and says so. */
function isFaultOfOne({ status, body }: Reply): boolean {
  if (status === 201) return Array.isArray(body) && body.every((result) => at(result, 'status') === 'error')
  const imported = at(body, 'subscribers') ?? at(body, 'topics')
  if (status === 200 && Array.isArray(imported)) return imported.every((it) => listAt(it, 'left').length > 0)
  const errors = at(body, 'errors')
  return status === 422 && isPlainObject(errors) && Object.keys(errors).every((place) => place.startsWith('resources.'))
}
