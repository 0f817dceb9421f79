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
  const broken = [payload.attachments, email.attachments].flatMap((value) => filesOf(value) ?? []).find(isBroken)
  if (broken) return { fault: `the attachment "${safeFileName(broken.name)}" is not base64` }
  const ofPayload = readFiles(payload.attachments)
  const ofOverrides = readFiles(email.attachments)
  const attachments = [...(ofPayload ?? []), ...(ofOverrides ?? [])]
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

type File = { name: string; file: string; mime: unknown }

/** Null: not a list of files. */
function filesOf(value: unknown): File[] | null {
  if (!Array.isArray(value) || value.length === 0) return null
  const files = value.flatMap((item): File[] => {
    const isFile = isPlainObject(item) && typeof item.file === 'string' && typeof item.name === 'string'
    return isFile ? [{ name: String(item.name), file: String(item.file), mime: item.mime }] : []
  })
  return files.length === value.length ? files : null
}

/** Node skips what is no base64, so a wrong text would be sent as a damaged file. Every test takes linear time. */
function isBroken({ file }: File): boolean {
  const end = file.indexOf('=')
  const data = end === -1 ? file : file.slice(0, end)
  if (end !== -1 && !/^={1,2}\s*$/.test(file.slice(end))) return true
  if (/[^\w+/\s-]/.test(data)) return true
  // Line breaks are usual. One character left over is never a byte.
  return data.replaceAll(/\s+/g, '').length % 4 === 1 || (end !== -1 && data === '')
}

function readFiles(value: unknown): Attachment[] | null {
  return (
    filesOf(value)?.map(({ name, file, mime }) => ({
      name: safeFileName(name),
      mime: typeof mime === 'string' && /^[\w.+-]+\/[\w.+-]+$/.test(mime) ? mime : 'application/octet-stream',
      content: Buffer.from(file, 'base64'),
    })) ?? null
  )
}

/** On one line and without path separators. */
function safeFileName(name: string): string {
  return name.replace(/[\p{Cc}\p{Zl}\p{Zp}/\\"]+/gu, '_').slice(0, 200) || 'attachment'
}
