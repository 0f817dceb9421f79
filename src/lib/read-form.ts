export type Form = { fields: Record<string, string>; files: { name: string; content: string }[] }

/** A form as browsers and clients send files (multipart/form-data); null: it cannot be read. Files are UTF-8. */
export async function readForm(contentType: string, bytes: Buffer): Promise<Form | null> {
  const form: Form = { fields: Object.create(null), files: [] }
  try {
    const data = await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } }).formData()
    for (const [name, value] of data) {
      if (typeof value === 'string') form.fields[name] = value
      else form.files.push({ name: value.name, content: await value.text() })
    }
  } catch {
    return null
  }
  return form
}
