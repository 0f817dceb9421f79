/**
 * Names of workflows and layouts may hold anything, names of files may not: everything else is written as %2F. Where only
 * the case differs, as some file systems cannot tell apart, capitals are written so, too.
 */
export function fileName(name: string, taken: Set<string>): string {
  const plain = encodeURIComponent(name).replaceAll(/^[.-]|[!'()*~]|\.$/g, escaped)
  const isFree = !taken.has(plain.toLowerCase()) && !reserved.test(plain)
  const chosen = isFree
    ? plain
    : plain.replaceAll(/%[0-9A-F]{2}|[A-Z]|^./g, (part) => (part.startsWith('%') ? part : escaped(part)))
  // File systems end at 255 bytes, and a suffix follows.
  if (chosen.length > 240) throw new Error(`"${name}" is too long for the name of a file.`)
  taken.add(chosen.toLowerCase())
  return chosen
}

function escaped(part: string): string {
  return `%${part.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}

/** Names that mean something else on Windows. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

/** The name again. A folder made by hand may have a name that is none of ours. */
export function nameInFile(file: string): string {
  try {
    return decodeURIComponent(file)
  } catch {
    return file
  }
}
