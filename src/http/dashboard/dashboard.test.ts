import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { useSharedHarness } from '../../../test/harness.ts'
import { authenticator } from '../access/auth.ts'
import { createServer } from '../server.ts'
import { addDashboard, type Dashboard } from './dashboard.ts'
import { loadSite } from './site.ts'

const h = useSharedHarness()
const script = `console.log(${JSON.stringify('x'.repeat(5_000))})`
const dashboard: Dashboard = { site: null, notice: 'building' }
let server: FastifyInstance
let url = ''
let dir = ''

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'tidings-site-'))
  await mkdir(join(dir, 'dist/assets'), { recursive: true })
  await writeFile(join(dir, 'secret.txt'), 'planted-secret')
  await writeFile(join(dir, 'dist/index.html'), '<!doctype html><title>Tidings</title>')
  await writeFile(join(dir, 'dist/favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  await writeFile(join(dir, 'dist/assets/index-abc.js'), script)
  await writeFile(join(dir, 'dist/assets/font-abc.woff2'), 'wOF2')
  await writeFile(join(dir, 'dist/notes.unknown'), 'planted-secret')
  server = createServer(h.ctx, h.routes, authenticator(h.ctx, []))
  addDashboard(server, dashboard)
  url = await server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await server.close()
  await rm(dir, { recursive: true })
})

type Answer = { status: number; headers: Record<string, string>; body: Buffer }

/** Sent as it is: fetch would resolve `..` and decompress the reply. */
function raw(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const sent = httpRequest(
      { hostname, port, path, method, headers: { accept: 'text/html', ...headers } },
      (reply) => {
        const chunks: Buffer[] = []
        reply.on('data', (chunk) => chunks.push(chunk))
        reply.on('end', () => {
          const given = reply.headers as Record<string, string>
          resolve({ status: reply.statusCode ?? 0, headers: given, body: Buffer.concat(chunks) })
        })
      },
    )
    sent.on('error', reject).end()
  })
}

describe('before there is a dashboard', () => {
  test.each([
    ['building', /is being built.*/s, true],
    ['absent', /npm run build -w dashboard/, false],
    ['failed', /could not be built/, false],
  ] as const)('%s: a page without script says so', async (notice, text, reloads) => {
    dashboard.site = null
    dashboard.notice = notice
    const { status, headers, body } = await raw('/')
    expect(status).toBe(200)
    expect(body.toString()).toMatch(text)
    expect(body.includes('http-equiv="refresh"')).toBe(reloads)
    expect(body.toString()).not.toMatch(/<script/)
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': expect.stringMatching(/^default-src 'none'/),
    })
  })
})

describe('the built dashboard', () => {
  beforeAll(async () => {
    dashboard.site = await loadSite(join(dir, 'dist'))
  })

  test('is served at / and at every address of its own, under a strict policy, never from a cache unasked', async () => {
    for (const path of ['/', '/?a=b', '/index.html', '/activity', '/workflows/hello/edit', '/v3', '/sessions']) {
      const { status, headers, body } = await raw(path)
      expect(status, path).toBe(200)
      expect(body.toString()).toBe('<!doctype html><title>Tidings</title>')
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'same-origin',
        'permissions-policy': expect.stringContaining('camera=()'),
      })
      const policy = headers['content-security-policy']?.split('; ') ?? []
      expect(policy).toEqual(
        expect.arrayContaining([
          "default-src 'none'",
          "script-src 'self'",
          "style-src 'self'",
          "frame-ancestors 'none'",
        ]),
      )
      expect(policy.join()).not.toMatch(/unsafe|\*|https?:/)
    }
  })

  test('files with a hash in their name are kept for ever, and come packed as the browser likes', async () => {
    const plain = await raw('/assets/index-abc.js')
    expect(plain.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    })
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.body.toString()).toBe(script)
    const br = await raw('/assets/index-abc.js', { 'accept-encoding': 'gzip, deflate, br' })
    expect(br.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(br.body).toString()).toBe(script)
    const gz = await raw('/assets/index-abc.js', { 'accept-encoding': 'gzip, br;q=0' })
    expect(gz.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(gz.body).toString()).toBe(script)
    const font = await raw('/assets/font-abc.woff2', { 'accept-encoding': 'br' })
    expect(font.headers['content-encoding']).toBeUndefined()
  })

  test('what has not changed is not sent again', async () => {
    const { headers } = await raw('/')
    const again = await raw('/', { 'if-none-match': headers.etag ?? '' })
    expect(again.status).toBe(304)
    expect(again.body).toHaveLength(0)
    expect((await raw('/', { 'if-none-match': '"other"' })).status).toBe(200)
    const head = await raw('/', {}, 'HEAD')
    expect([head.status, head.body.length]).toEqual([200, 0])
  })

  test('nothing else can be had, however the path is spelt', async () => {
    const paths = [
      '/../secret.txt',
      '/..%2fsecret.txt',
      '/%2e%2e/secret.txt',
      '/assets/../../secret.txt',
      '/assets/..%5c..%5csecret.txt',
      '//secret.txt',
      '/./../secret.txt',
      '/notes.unknown',
      '/secret.txt%00.js',
    ]
    for (const path of paths) {
      for (const accept of ['text/html', '*/*']) {
        const { body } = await raw(path, { accept })
        expect(body.toString(), path).not.toContain('planted-secret')
      }
    }
  })

  test('a program at / is told what answers here and where to go on; the API does not count it', async () => {
    const { version } = JSON.parse(await readFile(join(import.meta.dirname, '../../../package.json'), 'utf8'))
    for (const accept of ['*/*', 'application/json', '']) {
      const { status, headers, body } = await raw('/', { accept })
      expect(status, accept).toBe(200)
      expect(headers['content-type']).toMatch(/^application\/json/)
      const said = JSON.parse(body.toString())
      expect(said).toMatchObject({ name: 'Tidings', version, docs: '/docs', openapi: '/openapi.json' })
    }
    expect(Object.keys(JSON.parse((await raw('/openapi.json')).body.toString()).paths)).not.toContain('/')
  })

  test('an unknown address of the API is 404 in our words, not a page; so is a file that is gone', async () => {
    const paths = ['/v1/nothing', '/v2', '/health/x', '/metrics/x', '/docs/x', '/session/x', '/assets/old-123.js']
    for (const path of paths) {
      const { status, body } = await raw(path)
      expect(status, path).toBe(404)
      expect(JSON.parse(body.toString()).code).toBe('route_not_found')
    }
    expect((await raw('/activity', { accept: 'application/json' })).status).toBe(404)
    expect((await raw('/activity', {}, 'POST')).status).toBe(404)
    expect((await raw('/openapi.json')).headers['content-type']).toMatch(/json/)
  })
})
