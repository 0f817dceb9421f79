import { type Action, act, nameOf } from './provider-simulator.ts'
import { serveHttp } from './serve-http.ts'

/** One webhook as its receiver saw it. */
export type Heard = {
  at: number
  headers: Record<string, string>
  id: string
  body: string
  action: string
  /** It said so, and its caller was still there: one that dies before makes it undo its work. */
  taken: boolean
}

export type HeardCall = {
  /** How often this id came before. */
  before: number
  /** How many requests this receiver had before. */
  index: number
  /** Of this request. */
  at: number
}

export type WebhookReceiver = {
  url: string
  port: number
  heard: Heard[]
  script: (call: HeardCall) => Action
}

/** A receiver on loopback, in the runner's own process: it outlives every node that is killed. */
export async function startWebhookReceiver(script: WebhookReceiver['script']): Promise<WebhookReceiver> {
  const seen = new Map<string, number>()
  let index = 0
  const port = await serveHttp((request, response) => {
    const at = Date.now()
    const chunks: Buffer[] = []
    request.on('error', () => {})
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    // Of a caller that died in the middle of its request nothing was heard.
    request.on('end', () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      const id = headers['webhook-id'] ?? ''
      const before = seen.get(id) ?? 0
      seen.set(id, before + 1)
      const action = receiver.script({ before, index: index++, at })
      const body = Buffer.concat(chunks).toString()
      const heard = { at, headers, id, body, action: nameOf(action), taken: false }
      receiver.heard.push(heard)
      response.on('close', () => {
        heard.taken = action.kind === 'ok' && response.writableFinished
      })
      act(action, request, response)
    })
  })
  const receiver: WebhookReceiver = { url: `http://127.0.0.1:${port}/`, port, heard: [], script }
  return receiver
}
