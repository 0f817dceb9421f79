import type { Attachment, Part } from '../../lib/outbound.ts'

/**
 * A mail as a multipart form: nothing for what is not set, a field for each item of a list, JSON for an object, and the
 * files under the one name all of them have.
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
