import { createHash, createHmac } from 'node:crypto'

type AwsRequest = {
  method: string
  url: string
  /** Signed and returned with the rest; `host` comes from the URL. */
  headers: Readonly<Record<string, string>>
  body: string
  region: string
  service: string
  accessKeyId: string
  secretAccessKey: string
  /** Of temporary keys; it is sent and signed with the rest. */
  sessionToken?: string
  now: Date
}

/**
 * The headers of one request to AWS, signed with Signature Version 4. Send exactly this method, URL and body.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export function signAws(request: AwsRequest): Record<string, string> {
  const { accessKeyId, secretAccessKey, sessionToken, region, service, now } = request
  const time = now.toISOString().replace(/[-:]|\.\d{3}/g, '')
  const date = time.slice(0, 8)
  const hash = sha256(request.body)
  const sent = {
    ...lowerNames(request.headers),
    'x-amz-date': time,
    'x-amz-content-sha256': hash,
    ...(sessionToken !== undefined && { 'x-amz-security-token': sessionToken }),
  }
  const { text, signedHeaders } = canonical(request, sent, hash)
  const scope = `${date}/${region}/${service}/aws4_request`
  const key = [date, region, service, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`)
  const signature = hmac(key, `AWS4-HMAC-SHA256\n${time}\n${scope}\n${sha256(text)}`).toString('hex')
  const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${signedHeaders}, Signature=${signature}`
  return { ...sent, authorization }
}

/** The normal form of a request, which both sides sign. */
function canonical({ method, url }: AwsRequest, headers: Record<string, string>, hash: string) {
  const { host, pathname, searchParams } = new URL(url)
  const entries = Object.entries({ ...headers, host }).toSorted(byName)
  const signedHeaders = entries.map(([name]) => name).join(';')
  const lines = entries.map(([name, value]) => `${name}:${value.trim().replace(/ +/g, ' ')}\n`).join('')
  const query = [...searchParams].map(([name, value]): [string, string] => [encode(name), encode(value)])
  const text = [
    method,
    // Every service but S3 encodes the path once more than the URL does.
    pathname.split('/').map(encode).join('/'),
    query
      .toSorted(byName)
      .map((pair) => pair.join('='))
      .join('&'),
    lines,
    signedHeaders,
    hash,
  ].join('\n')
  return { text, signedHeaders }
}

function lowerNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

/** By code point, and pairs of one name by their values. */
function byName(one: [string, string], other: [string, string]): number {
  const [a, b] = one[0] === other[0] ? [one[1], other[1]] : [one[0], other[0]]
  return a < b ? -1 : a > b ? 1 : 0
}

/** RFC 3986: unlike encodeURIComponent, only letters, digits and `-._~` stay. */
function encode(value: string): string {
  return encodeURIComponent(value).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}

function sha256(value: string): string {
  return createHash('sha256').update(value, 'utf8').digest('hex')
}

function hmac(key: string | Buffer, value: string): Buffer {
  return createHmac('sha256', key).update(value, 'utf8').digest()
}
