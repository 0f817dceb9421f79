/** Texts by key as they are stored: nested (`{ "a": { "b": … } }`) or not (`{ "a.b": … }`). */
export type Content = Record<string, unknown>

const isObject = (value: unknown): value is Content =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** All texts by their whole key. */
export function textsOf(content: Content, prefix = ''): Map<string, string> {
  const texts = new Map<string, string>()
  for (const [name, value] of Object.entries(content)) {
    const key = prefix + name
    if (typeof value === 'string') texts.set(key, value)
    else if (isObject(value)) for (const [inner, text] of textsOf(value, `${key}.`)) texts.set(inner, text)
  }
  return texts
}

/** The content with another text at a key, where it stands already; else nested, as far as that goes. */
export function withText(content: Content, key: string, text: string): Content {
  if (textsOf(content).has(key)) return replaced(content, key, text)
  return nested(content, key.split('.'), text) ?? { ...content, [key]: text }
}

function replaced(content: Content, key: string, text: string, prefix = ''): Content {
  const entries = Object.entries(content).map(([name, value]) => {
    if (prefix + name === key && typeof value === 'string') return [name, text]
    return [name, isObject(value) ? replaced(value, key, text, `${prefix}${name}.`) : value]
  })
  return Object.fromEntries(entries)
}

/** Null: another text stands in the way. */
function nested(content: Content, [name = '', ...rest]: string[], text: string): Content | null {
  const present = Object.hasOwn(content, name) ? content[name] : undefined
  if (rest.length === 0) return present === undefined ? { ...content, [name]: text } : null
  if (present !== undefined && !isObject(present)) return null
  const inner = nested(present ?? {}, rest, text)
  return inner && { ...content, [name]: inner }
}

/** The content without a key, and without what is then empty around it. */
export function withoutText(content: Content, key: string, prefix = ''): Content {
  const entries = Object.entries(content).flatMap(([name, value]) => {
    if (prefix + name === key && typeof value === 'string') return []
    if (!isObject(value)) return [[name, value]]
    const inner = withoutText(value, key, `${prefix}${name}.`)
    return Object.keys(inner).length > 0 || Object.keys(value).length === 0 ? [[name, inner]] : []
  })
  return Object.fromEntries(entries)
}

const longestKey = 255

/** Why this cannot be the key of a new text. */
export function keyFault(key: string, taken: readonly string[]): string | undefined {
  if (key === '') return undefined
  if (key.length > longestKey) return `At most ${longestKey} characters.`
  if (key.split('.').some((word) => word.trim() === '')) return 'A word is missing before or after a dot.'
  if (taken.includes(key)) return 'This key is there already.'
  const inTheWay = taken.find((one) => one.startsWith(`${key}.`))
  return inTheWay && `Keys begin with it already, such as ${inTheWay}.`
}

/** How a template asks for it. */
export function templateOf(key: string): string {
  const isPlain = key.split('.').every((word) => /^[A-Za-z_][\w-]*$/.test(word))
  return isPlain ? `{{ t.${key} }}` : `{{ t["${key}"] }}`
}
