import { isPlainObject } from '../../lib/canonical-json.ts'
import type { Attachment } from '../../lib/outbound.ts'

type Values = Record<string, unknown>
type Taken = { payload: Values; overrides: Values; attachments: Attachment[] }

const maxBytes = 15 * 1024 * 1024
const maxFiles = 50

/**
 * Moves files out of the payload before it is measured, stored and shown; name, type and size stay in their place. A
 * list called `attachments` without files is the caller's own data and stays as it is.
 */
export function takeAttachments(payload: Values, overrides: Values): Taken | { fault: string } {
  const email = isPlainObject(overrides.email) ? overrides.email : {}
  const ofPayload = readFiles(payload.attachments)
  const ofOverrides = readFiles(email.attachments)
  const attachments = [...(ofPayload ?? []), ...(ofOverrides ?? [])]
  const broken = attachments.find(({ isBase64 }) => !isBase64)
  if (broken) return { fault: `the attachment "${broken.name}" is not base64` }
  if (attachments.length > maxFiles) return { fault: `an event may have at most ${maxFiles} attachments` }
  const bytes = attachments.reduce((sum, file) => sum + file.content.length, 0)
  if (bytes > maxBytes) return { fault: `attachments are larger than ${maxBytes / 1024 / 1024} MB` }
  return {
    payload: ofPayload ? { ...payload, attachments: ofPayload.map(describe) } : payload,
    overrides: ofOverrides ? { ...overrides, email: { ...email, attachments: ofOverrides.map(describe) } } : overrides,
    attachments,
  }
}

function describe({ name, mime, content }: Attachment): Values {
  return { name, mime, size: content.length }
}

function readFiles(value: unknown): (Attachment & { isBase64: boolean })[] | null {
  if (!Array.isArray(value) || value.length === 0) return null
  const files = value.flatMap((item) => {
    if (!isPlainObject(item) || typeof item.file !== 'string' || typeof item.name !== 'string') return []
    const mime =
      typeof item.mime === 'string' && /^[\w.+-]+\/[\w.+-]+$/.test(item.mime) ? item.mime : 'application/octet-stream'
    const content = Buffer.from(item.file, 'base64')
    return [{ name: safeFileName(item.name), mime, content, isBase64: isBase64(item.file, content.length) }]
  })
  return files.length === value.length ? files : null
}

/** Node skips what is no base64, so a wrong text would be sent as a damaged file. `length`: what it made of it. */
function isBase64(text: string, length: number): boolean {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const letters = text.length - padding
  const nothingSkipped = letters % 4 !== 1 && length === Math.floor((letters * 3) / 4)
  if (nothingSkipped) return letters > 0 || padding === 0
  // Line breaks are usual, and skipped too.
  const bare = /\s/.test(text) ? text.replaceAll(/\s+/g, '') : text
  return bare.length < text.length && isBase64(bare, length)
}

/** On one line and without path separators. */
function safeFileName(name: string): string {
  return name.replace(/[\p{Cc}\p{Zl}\p{Zp}/\\"]+/gu, '_').slice(0, 200) || 'attachment'
}
