import { type HttpReceiver, type ReceivedRequest, type Scripted, startHttpReceiver } from '../peers/http-receiver.ts'

/** As the server keeps it, and answers with it. */
export type NtfyMessage = {
  id: string
  time: number
  event: 'message'
  topic: string
  message: string
  title?: string
  priority?: number
  tags?: string[]
  click?: string
  sequence_id?: string
  attachment?: { name: string; size: number }
}

export type Ntfy = {
  url: string
  port: number
  /** What each topic has got, in order. */
  messages: Map<string, NtfyMessage[]>
  /** What an app shows: of one sequence only the newest. */
  shownIn(topic: string): NtfyMessage[]
  requests: HttpReceiver['requests']
  /** How many requests a visitor may still make, if they are counted. */
  requestsLeft: number
  trouble: Scripted | undefined
  close(): Promise<void>
}

type Options = {
  /** Access tokens, and users with their passwords; each names who it is. */
  tokens?: Record<string, string>
  passwords?: Record<string, string>
  /** Topics that only their owner may write to. */
  reserved?: Record<string, string>
  messageSizeLimit?: number
  /** Without a cache for them, long messages are refused instead. */
  hasAttachments?: boolean
}

/** https://github.com/binwiederhier/ntfy: the order of its checks, and its codes (server/errors.go). */
export async function startNtfy(options: Options = {}): Promise<Ntfy> {
  const { reserved = {}, messageSizeLimit = 4_096, hasAttachments = true } = options
  const receiver = await startHttpReceiver()
  let count = 0
  const server: Ntfy = {
    url: receiver.url,
    port: receiver.port,
    messages: new Map(),
    shownIn: (topic) => {
      const all = server.messages.get(topic) ?? []
      return all.filter(
        ({ sequence_id }, n) =>
          sequence_id === undefined || all.findLastIndex((it) => it.sequence_id === sequence_id) === n,
      )
    },
    requests: receiver.requests,
    requestsLeft: Number.POSITIVE_INFINITY,
    trouble: undefined,
    close: () => receiver.close(),
  }

  const publish = (request: ReceivedRequest, visitor: string | undefined): Scripted => {
    if (request.body.length > messageSizeLimit * 2) return refusal(41303, 'JSON body too large')
    const { json } = request
    if (!isObject(json)) return refusal(40024, 'invalid request: request body must be valid JSON')
    const { topic, sequence_id: sequence } = json
    if (!isName(topic)) return refusal(40009, 'invalid request: topic invalid')
    if (server.requestsLeft-- <= 0) return refusal(42901, 'limit reached: too many requests')
    const owner = reserved[topic]
    if (owner !== undefined && owner !== visitor) return refusal(40301, 'forbidden')
    if (sequence !== undefined && !isName(sequence)) return refusal(40000, 'invalid request: sequence ID invalid')
    const said = json.message === undefined || json.message === '' ? 'triggered' : String(json.message)
    const size = Buffer.byteLength(said)
    const isFile = size > messageSizeLimit
    if (isFile && !hasAttachments) return refusal(40014, 'invalid request: attachments not allowed')
    const kept = Object.entries(json).filter(([name]) => ['title', 'priority', 'tags', 'click'].includes(name))
    const stored: NtfyMessage = {
      ...Object.fromEntries(kept),
      id: `ntfy${String(++count).padStart(8, '0')}`,
      time: Math.floor(Date.now() / 1000),
      event: 'message',
      topic,
      message: isFile ? 'You received a file: attachment.txt' : said,
      ...(isName(sequence) && { sequence_id: sequence }),
      ...(isFile && { attachment: { name: 'attachment.txt', size } }),
    }
    server.messages.set(topic, [...(server.messages.get(topic) ?? []), stored])
    return { json: stored }
  }

  receiver.answer = (request) => {
    if (server.trouble !== undefined) return server.trouble
    const { authorization } = request.headers
    const visitor = authorization === undefined ? undefined : visitorOf(authorization, options)
    if (authorization !== undefined && visitor === undefined) return refusal(40101, 'unauthorized')
    if (request.method === 'GET' && request.url === '/v1/account') return { json: { username: visitor ?? '*' } }
    if (request.method === 'POST' && request.url === '/') return publish(request, visitor)
    return refusal(40401, 'page not found')
  }
  return server
}

function visitorOf(authorization: string, { tokens = {}, passwords = {} }: Options): string | undefined {
  const [kind = '', value = ''] = authorization.split(' ')
  if (kind === 'Bearer') return tokens[value]
  const [user = '', ...password] = Buffer.from(value, 'base64').toString().split(':')
  return Object.hasOwn(passwords, user) && passwords[user] === password.join(':') ? user : undefined
}

function refusal(code: number, error: string): Scripted {
  const http = Math.floor(code / 100)
  return { status: http, json: { code, http, error, link: 'https://ntfy.sh/docs/publish/' } }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Of a topic or a sequence. */
function isName(value: unknown): value is string {
  return typeof value === 'string' && /^[-_A-Za-z0-9]{1,64}$/.test(value)
}
