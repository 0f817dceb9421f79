import type { ReceivedMail } from '../test/peers/smtp-receiver.ts'

export type MailParts = { subject: string; html: string; text: string }

/** The two parts of a mail as a mail program reads them. */
export function readMail({ raw, headers }: ReceivedMail): MailParts {
  const named = (name: string) => headers.find(([found]) => found.toLowerCase() === name)?.[1] ?? ''
  const parts = splitParts(raw, named('content-type'))
  const find = (type: string) => parts.find((part) => part.type.startsWith(type))?.text ?? ''
  return { subject: decodeWords(named('subject')), html: find('text/html'), text: find('text/plain') }
}

function splitParts(raw: string, type: string): { type: string; text: string }[] {
  const boundary = /boundary="?([^";]+)"?/i.exec(type)?.[1]
  if (boundary === undefined) return []
  return raw
    .split(`--${boundary}`)
    .slice(1, -1)
    .flatMap((part) => {
      const end = part.indexOf('\r\n\r\n')
      const head = part.slice(0, end).replace(/\r\n[ \t]+/g, ' ')
      const body = part.slice(end + 4)
      const header = (name: string) => new RegExp(`^${name}: *(.*)$`, 'im').exec(head)?.[1]?.trim() ?? ''
      const inner = header('content-type')
      if (inner.startsWith('multipart/')) return splitParts(part, inner)
      return [{ type: inner, text: decode(body, header('content-transfer-encoding')) }]
    })
}

function decode(body: string, encoding: string): string {
  if (/base64/i.test(encoding)) return Buffer.from(body, 'base64').toString('utf8')
  if (!/quoted-printable/i.test(encoding)) return body
  return fromQuoted(body.replace(/=\r\n/g, ''))
}

function fromQuoted(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** RFC 2047, as subjects are written. */
function decodeWords(text: string): string {
  return text
    .replace(/\?= +=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toLowerCase() === 'b' ? Buffer.from(word, 'base64').toString('utf8') : fromQuoted(word.replaceAll('_', ' ')),
    )
}
