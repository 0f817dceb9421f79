/** Whether an attribute would run something in a browser: a handler, or an address that is a script or a document. */
export function runs(element: string, { name, value }: { name: string; value: string }): boolean {
  if (name.startsWith('on') || name === 'srcdoc') return true
  // Without either sign there is no scheme, however it is written.
  if (!/[:&]/.test(value)) return name === 'attributename' && animatesAddress(value)
  const address = toAddress(value)
  if (/^(javascript|vbscript):/i.test(address)) return true
  if (name === 'attributename') return animatesAddress(address)
  if (name === 'content') return /url=['"]?(javascript|vbscript|data):/i.test(address)
  if (!addresses.has(name) || !/^data:/i.test(address)) return false
  return !(element === 'img' && /^data:image\/(png|gif|jpe?g|webp|bmp|avif|x-icon)[;,]/i.test(address))
}

/** The attributes by which a browser loads a document or an image. */
const addresses = new Set([
  ...['href', 'xlink:href', 'src', 'srcset', 'action', 'formaction', 'data', 'poster', 'background', 'ping'],
  ...['lowsrc', 'dynsrc', 'code', 'codebase', 'archive', 'classid', 'manifest', 'to', 'from', 'by', 'values'],
])

/** SVG can change an attribute over time: it must not be one that `runs` judges. */
function animatesAddress(value: string): boolean {
  return /^(on|(xlink:)?href$)/i.test(toAddress(value))
}

/** As a browser reads it, and without the blanks and controls that it skips. */
function toAddress(value: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers skip them in an address
  return decode(value).replace(/[\x00-\x20]+/g, '')
}

const named: Record<string, string> = { colon: ':', tab: '', newline: '' }

/** A reference may have any number of zeros. */
function decode(text: string): string {
  return text.replace(/&#x([\da-f]+);?|&#(\d+);?|&(colon|tab|newline);/gi, (_whole, hex, digits, name) => {
    if (name !== undefined) return named[name.toLowerCase()] ?? ''
    const code = hex === undefined ? Number(digits) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
}
