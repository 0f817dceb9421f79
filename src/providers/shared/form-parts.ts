import type { Attachment, Part } from '../../lib/outbound.ts'

/**
 * A mail as a multipart form: unset values are left out, a list becomes a field for each item, an object JSON, and
 * every file has the name `attachment`.
 */
export function formParts(values: Readonly<Record<string, unknown>>, attachments: readonly Attachment[]): Part[] {
  const fields = Object.entries(values).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((item) => item !== undefined && item !== null)
      .map((item): Part => ({ name, value: typeof item === 'object' ? JSON.stringify(item) : String(item) })),
  )
  const files = attachments.map(
    ({ name, mime, content }): Part => ({ name: 'attachment', filename: name, mime, content }),
  )
  return [...fields, ...files]
}
