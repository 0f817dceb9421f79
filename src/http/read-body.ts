import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError, invalidField } from '../errors.ts'
import { isPlainObject } from '../lib/canonical-json.ts'
import { findRefusedContent, maxDepth, mostEscapes, parseInTurns, scanJson } from '../lib/read-json.ts'

const decompressors = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
}

/** Reads a body of form fields; null where none is taken. */
type ReadFields = (request: FastifyRequest, text: () => Promise<string>) => Promise<unknown>

/**
 * Reads JSON and refuses dangerous content; a route with `rawBody` gets the text as it came. The size limit holds for
 * the bytes sent and for what they decompress to.
 */
export function installBodyReader(server: FastifyInstance, readFields: ReadFields): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser(
    /^application\/(.+\+)?json(;|$)/i,
    { parseAs: 'buffer' },
    async (request: FastifyRequest, raw: Buffer) => {
      // Clients send this content type even without a body.
      if (raw.length === 0) return undefined
      if (request.routeOptions.config.rawBody) return (await unpack(request, raw)).toString()
      return readJson(await unpack(request, raw), request.routeOptions.config.contentCheckedByHandler)
    },
  )
  // Fastify asks for a parser before it looks at the length, so a request without a body comes here too.
  server.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, raw: Buffer) => {
    if (request.routeOptions.config.rawBody) return (await unpack(request, raw)).toString()
    if (raw.length === 0) return undefined
    const type = request.headers['content-type'] ?? ''
    const fields = await readFields(request, async () => (await unpack(request, raw)).toString())
    if (fields !== null) return withoutRefused(fields)
    if (!request.routeOptions.config.takesForm || !/^multipart\/form-data(;|$)/i.test(type)) {
      throw new ApiError('unsupported_media_type')
    }
    return readForm(type, await unpack(request, raw))
  })
}

/**
 * Files as browsers and clients send them. It becomes the same body as JSON: its fields, and its files under `files`,
 * whatever their fields are called.
 */
async function readForm(type: string, bytes: Buffer): Promise<unknown> {
  const body: Record<string, unknown> = {}
  const files: { name: string; content: string }[] = []
  try {
    const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData()
    for (const [name, value] of form) {
      if (typeof value === 'string') body[name] = value
      else files.push({ name: value.name, content: await value.text() })
    }
  } catch {
    throw new ApiError('malformed_request', { message: 'The form cannot be read.' })
  }
  return withoutRefused({ ...body, files })
}

function withoutRefused(body: unknown): unknown {
  const refused = findRefusedContent(body)
  if (refused) throw new ApiError('refused_content', { message: `${refused.path} ${refused.reason}.` })
  return body
}

async function unpack(request: FastifyRequest, raw: Buffer): Promise<Buffer> {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  if (encoding === 'identity') return raw
  if (!(encoding === 'gzip' || encoding === 'deflate' || encoding === 'br')) {
    throw new ApiError('unsupported_media_type', { message: `content-encoding "${encoding}" is not understood.` })
  }
  try {
    return await decompressors[encoding](raw, { maxOutputLength: request.routeOptions.bodyLimit ?? 1024 * 1024 })
  } catch (error) {
    if (error instanceof RangeError) throw new ApiError('body_too_large')
    throw new ApiError('malformed_request', { message: `The body is not valid ${encoding}.` })
  }
}

// Reading 200,000 values takes an eighth of a second, in which nobody else is answered.
const mostValues = 200_000
const largeBytes = 1024 * 1024

const nextTurn = promisify(setImmediate)

async function readJson(bytes: Buffer, checkedByHandler: string | undefined): Promise<unknown> {
  const isLarge = bytes.length > largeBytes
  const scanned = isLarge ? scanJson(bytes, mostValues) : null
  if (scanned && scanned.values > mostValues) {
    throw new ApiError('body_too_large', { message: `The body holds more than ${mostValues} values.` })
  }
  if (scanned && scanned.escapes > mostEscapes) {
    throw new ApiError('body_too_large', { message: `The body holds more than ${mostEscapes} escaped characters.` })
  }
  if (isLarge) await nextTurn()
  let body: unknown
  try {
    body = await parseInTurns(bytes, scanned?.portions ?? [])
  } catch {
    throw new ApiError('malformed_json')
  }
  if (isLarge) await nextTurn()
  const checkedHere = checkedByHandler && isPlainObject(body) ? { ...body, [checkedByHandler]: null } : body
  const isFlat = scanned !== null && scanned.depth < maxDepth
  const refused = findRefusedContent(checkedHere) ?? (isFlat ? null : findRefusedContent(body, 'depth'))
  if (refused?.isNumber) throw invalidField(refused.path || 'body', refused.reason)
  if (refused) throw new ApiError('refused_content', { message: `${refused.path || 'The body'} ${refused.reason}.` })
  return body
}
