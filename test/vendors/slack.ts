import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type Answer, callHook, callMethod } from './slack-api.ts'
import { createModel, type Model, type Options } from './slack-model.ts'
import { askPage, decide, type Page } from './slack-pages.ts'

/**
 * A double of Slack on loopback: its pages of consent, its Web API and its incoming webhooks, as far as we use them. It
 * follows the documentation that src/providers/chat/slack.ts names. It has a workspace `T0ACME` of Ada's.
 */
export type Slack = Model & {
  url: string
  port: number
  /** The bodies of all calls of the Web API, as they came. */
  calls: { method: string; body: string }[]
  /** What happens to the next call of a method, instead of its answer. `lost`: it is done, and nobody hears of it. */
  next: Map<string, Answer | 'lost' | 'cut'>
  postedTo(channel: string): Model['posted']
  /** A person opens the address that an app sent the browser to and clicks; returns where the browser is sent. */
  allow(authorizeUrl: string, as?: { who?: string; channel?: string }): Promise<URL>
  cancel(authorizeUrl: string): Promise<URL>
  close(): Promise<void>
}

export async function startSlack(options: Options = {}): Promise<Slack> {
  const model = createModel(options)
  model.addWorkspace({ id: 'T0ACME', name: 'Acme', people: [{ id: 'U0ADA', name: 'Ada' }] })
  const slack: Slack = {
    ...model,
    url: '',
    port: 0,
    calls: [],
    next: new Map(),
    postedTo: (channel) => model.posted.filter((it) => it.channel === channel),
    allow: (authorizeUrl, { who = 'T0ACME/U0ADA', channel = 'C0ACMEGENERAL' } = {}) =>
      click(authorizeUrl, { _decision: 'allow', _who: who, _channel: channel }),
    cancel: (authorizeUrl) => click(authorizeUrl, { _decision: 'cancel' }),
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  const server = createServer((request, response) => void serve(slack, request, response))
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  const address = server.address()
  slack.port = typeof address === 'object' && address ? address.port : 0
  slack.url = `http://127.0.0.1:${slack.port}`
  return slack
}

async function serve(slack: Slack, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks).toString('utf8')
  const { pathname, searchParams } = new URL(request.url ?? '/', slack.url)
  const kind = { '/oauth/v2/authorize': 'oauth', '/openid/connect/authorize': 'openid' } as const
  if (pathname === '/oauth/v2/authorize' || pathname === '/openid/connect/authorize') {
    const isClick = request.method === 'POST'
    const shown = isClick
      ? decide(slack, kind[pathname], new URLSearchParams(body))
      : askPage(slack, kind[pathname], searchParams)
    return show(response, shown)
  }
  const args = { ...Object.fromEntries(searchParams), ...toArgs(request, body) }
  if (pathname.startsWith('/services/')) return answer(response, callHook(slack, pathname, args))
  const method = pathname.replace(/^\/api\//, '')
  slack.calls.push({ method, body })
  const next = slack.next.get(method)
  slack.next.delete(method)
  if (next === 'cut') return void request.socket.destroy()
  if (typeof next === 'object') return answer(response, next)
  const { authorization } = request.headers
  const answered = callMethod(slack, method, { authorization, args, url: slack.url })
  return next === 'lost' ? void request.socket.destroy() : answer(response, answered)
}

function toArgs(request: IncomingMessage, body: string): Record<string, unknown> {
  if (!request.headers['content-type']?.includes('json')) return Object.fromEntries(new URLSearchParams(body))
  try {
    const json: unknown = JSON.parse(body)
    return typeof json === 'object' && json !== null ? { ...json } : {}
  } catch {
    return {}
  }
}

function answer(response: ServerResponse, { status = 200, headers = {}, json, body }: Answer): void {
  const type = json === undefined ? 'text/html' : 'application/json; charset=utf-8'
  response.writeHead(status, { 'content-type': type, ...headers })
  response.end(json === undefined ? body : JSON.stringify(json))
}

function show(response: ServerResponse, page: Page): void {
  if ('location' in page) response.writeHead(302, { location: page.location }).end()
  else response.writeHead(page.status, { 'content-type': 'text/html; charset=utf-8' }).end(page.html)
}

async function click(authorizeUrl: string, choice: Record<string, string>): Promise<URL> {
  const { origin, pathname, searchParams } = new URL(authorizeUrl)
  const shown = await fetch(authorizeUrl)
  if (!shown.ok) throw new Error(await shown.text())
  const form = new URLSearchParams([...searchParams, ...Object.entries(choice)])
  const sent = await fetch(`${origin}${pathname}`, { method: 'POST', body: form, redirect: 'manual' })
  const location = sent.headers.get('location')
  if (!location) throw new Error(await sent.text())
  return new URL(location)
}
