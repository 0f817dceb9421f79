import mime from 'mime'
import { isLargerThan, isPlainObject } from '../../lib/canonical-json.ts'
import { createPauses } from '../../lib/chunks.ts'
import { cutText } from '../../lib/one-line.ts'
import type { Attachment } from '../../lib/outbound.ts'
import { hasMoreAddresses } from '../pipeline/overrides.ts'

type Values = Record<string, unknown>
type Taken = { payload: Values; overrides: Values; attachments: Attachment[] }

const maxBytes = 15 * 1024 * 1024
const maxFiles = 50
// As much as a payload: the messages of an event carry both, and lists show them with each.
const maxOverridesBytes = 512 * 1024
// Of one e-mail. No provider takes more in one call.
const maxAddresses = 1000

/**
 * Moves files out of the payload before it is measured, stored and shown; name, type and size stay in their place. A
 * list called `attachments` without files is the caller's own data and stays as it is.
 */
export async function takeAttachments(payload: Values, overrides: Values): Promise<Taken | { fault: string }> {
  const email = isPlainObject(overrides.email) ? overrides.email : {}
  const ofPayload = await readFiles(payload.attachments)
  const ofOverrides = await readFiles(email.attachments)
  const attachments = [...(ofPayload ?? []), ...(ofOverrides ?? [])]
  const broken = attachments.find(({ isBase64 }) => !isBase64)
  if (broken) return { fault: `the attachment "${broken.name}" is not base64` }
  if (attachments.length > maxFiles) return { fault: `an event may have at most ${maxFiles} attachments` }
  const bytes = attachments.reduce((sum, file) => sum + file.content.length, 0)
  if (bytes > maxBytes) return { fault: `attachments are larger than ${maxBytes / 1024 / 1024} MB` }
  const left = ofOverrides ? { ...overrides, email: { ...email, attachments: ofOverrides.map(describe) } } : overrides
  if (isLargerThan(left, maxOverridesBytes)) return { fault: `overrides is larger than ${maxOverridesBytes / 1024} KB` }
  if (hasMoreAddresses(left, maxAddresses))
    return { fault: `overrides has more than ${maxAddresses} addresses in to, cc and bcc of an e-mail` }
  return {
    payload: ofPayload ? { ...payload, attachments: ofPayload.map(describe) } : payload,
    overrides: left,
    attachments,
  }
}

function describe({ name, mime, content }: Attachment): Values {
  return { name, mime, size: content.length }
}

async function readFiles(value: unknown): Promise<(Attachment & { isBase64: boolean })[] | null> {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isFile)) return null
  const pause = createPauses()
  const files: (Attachment & { isBase64: boolean })[] = []
  for (const { name, file, mime: given } of value) {
    const content = Buffer.from(file, 'base64')
    await pause()
    files.push({
      name: safeFileName(name),
      mime: safeType(name, given),
      content,
      isBase64: isBase64(file, content.length),
    })
    await pause()
  }
  return files
}

function isFile(item: unknown): item is { name: string; file: string; mime?: unknown } {
  return isPlainObject(item) && typeof item.file === 'string' && typeof item.name === 'string'
}

/** The type that was given, else the one its name tells: vendors drop a file whose type does not go with its name. */
function safeType(name: string, given: unknown): string {
  if (typeof given === 'string' && /^[\w.+-]+\/[\w.+-]+$/.test(given)) return given
  // A name without a dot would be read as an ending.
  return (name.includes('.') ? mime.getType(name) : null) ?? 'application/octet-stream'
}

/** Node skips what is no base64, so a wrong text would be sent as a damaged file. `length`: what it made of it. */
function isBase64(text: string, length: number): boolean {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return fits(text.length - padding, padding, length) || (hasBlank.test(text) && isBase64InLines(text, length))
}

const hasBlank = /[\t-\r ]/

/** Line breaks are usual, and skipped too. Counted, not taken out: there may be millions. */
function isBase64InLines(text: string, length: number): boolean {
  let [letters, padding] = [0, 0]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const isBlank = code === 32 || (code >= 9 && code <= 13)
    if (isBlank) continue
    if (code === equalsSign) padding++
    else if (padding > 0) return false
    else letters++
  }
  return padding <= 2 && fits(letters, padding, length)
}

const equalsSign = 61

/** Nothing was skipped. */
function fits(letters: number, padding: number, length: number): boolean {
  return letters % 4 !== 1 && length === Math.floor((letters * 3) / 4) && (letters > 0 || padding === 0)
}

/** On one line and without path separators. */
function safeFileName(name: string): string {
  return cutText(name.slice(0, 1000).replace(/[\p{Cc}\p{Zl}\p{Zp}/\\"]+/gu, '_'), 200) || 'attachment'
}
