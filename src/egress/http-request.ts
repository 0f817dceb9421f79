import { createHash } from 'node:crypto'
import type { Fault, HttpRequest, Part } from '../lib/outbound.ts'
import { refuse } from './connect.ts'

/** A request as it goes on the wire, in either version of HTTP. Header names are in lower case. */
export type Outgoing = {
  kind: 'outgoing'
  method: string
  url: URL
  headers: Record<string, string>
  body: Buffer | undefined
}

const token = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,200}$/
const latin1 = /^[\t\x20-\x7e\x80-\xff]*$/
// These frame the message or the connection: only we set them.
const reservedHeader =
  /^(host|content-length|transfer-encoding|connection|keep-alive|proxy-.*|upgrade|te|trailer|expect|accept-encoding|http2-settings)$/
const mimeType = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(\s*;\s*[\w-]+=("[^"\\\p{Cc}]*"|[\w!#$&^.+-]+))*$/u

/** Never throws: what cannot be sent is refused before anything is opened. */
export function toOutgoing(request: HttpRequest): Outgoing | Fault {
  const body = toBody(request)
  if (!body) return refuse('The request cannot be written as JSON.')
  const headers: Record<string, string> = {
    'user-agent': 'tidings',
    // So that no server sends a body that unpacks to gigabytes.
    'accept-encoding': 'identity',
    ...(body.type && { 'content-type': body.type }),
  }
  for (const [given, value] of Object.entries(request.headers ?? {})) {
    const name = given.toLowerCase()
    if (!token.test(given) || reservedHeader.test(name))
      return refuse(`A header of this name cannot be sent: ${shown(given)}.`)
    if (!latin1.test(value)) return refuse(`The header ${name} has a character that cannot be sent.`)
    headers[name] = value.replace(/^[\t ]+|(?<![\t ])[\t ]+$/g, '')
  }
  return {
    kind: 'outgoing',
    method: request.method ?? 'POST',
    url: new URL(request.url),
    headers,
    body: body.bytes,
  }
}

type Body = { bytes: Buffer | undefined; type?: string }

function toBody({ json, form, multipart, body }: HttpRequest): Body | null {
  if (json !== undefined) {
    const text = toJson(json)
    return text === undefined ? null : { bytes: Buffer.from(text), type: 'application/json' }
  }
  if (form) {
    const pairs = isPairs(form) ? form : Object.entries(form)
    const text = new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])).toString()
    return { bytes: Buffer.from(text), type: 'application/x-www-form-urlencoded' }
  }
  if (multipart) return toMultipart(multipart)
  return { bytes: body === undefined ? undefined : Buffer.from(body) }
}

function isPairs(form: NonNullable<HttpRequest['form']>): form is readonly (readonly [string, string])[] {
  return Array.isArray(form)
}

function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

/**
 * The boundary is a hash of the parts: the same parts are the same bytes at every attempt (vendors compare them under
 * an idempotency key), and no part can contain its own hash.
 */
function toMultipart(parts: readonly Part[]): Body {
  const drafts = parts.map((part) =>
    'value' in part
      ? { head: `name="${quoted(part.name)}"`, content: Buffer.from(part.value) }
      : {
          head: `name="${quoted(part.name)}"; filename="${quoted(part.filename)}"\r\nContent-Type: ${toMime(part.mime)}`,
          content: Buffer.from(part.content),
        },
  )
  const hash = createHash('sha256')
  for (const { head, content } of drafts) hash.update(`${head.length}:${content.length}:${head}`).update(content)
  const boundary = `tidings-${hash.digest('hex').slice(0, 40)}`
  const chunks = drafts.flatMap(({ head, content }) => [
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
    content,
    Buffer.from('\r\n'),
  ])
  return {
    bytes: Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]),
    type: `multipart/form-data; boundary=${boundary}`,
  }
}

/** As browsers write names in a form (WHATWG HTML, "multipart/form-data encoding algorithm"). */
function quoted(name: string): string {
  return name.replace(/["\p{Cc}]/gu, (character) => encodeURIComponent(character))
}

export function toMime(mime: string): string {
  return mimeType.test(mime) ? mime : 'application/octet-stream'
}

function shown(name: string): string {
  return JSON.stringify(name.slice(0, 50))
}
