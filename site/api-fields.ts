import { isPlainObject } from '../src/lib/canonical-json.ts'

/** JSON Schemas as HTML: a table of fields, and types in words. */
type Field = { name: string; isRequired: boolean; schema: unknown }

/** Vue would read double braces as its own. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"'{}]/g, (character) => `&#${character.charCodeAt(0)};`)
}

export function fieldsTable(schema: unknown): string {
  const fields = fieldsOf(schema)
  if (fields.length === 0) return `<p>${typeOf(schema)}</p>`
  const hasMeanings = fields.some((field) => descriptionOf(field.schema) !== '')
  const rows = fields.map(({ name, isRequired, schema: own }) => [
    `<code>${escapeHtml(name)}</code>${isRequired ? ' <em>required</em>' : ''}`,
    typeOf(own),
    ...(hasMeanings ? [escapeHtml(descriptionOf(own))] : []),
  ])
  return toTable(['Field', 'Type', ...(hasMeanings ? ['Meaning'] : [])], rows)
}

export function toTable(names: string[], rows: string[][]): string {
  const head = names.map((name) => `<th>${name}</th>`).join('')
  const body = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')
  return `<table class="fields"><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`
}

/** Those of objects inside stand below theirs: `steps[].name`. */
function fieldsOf(schema: unknown, prefix = ''): Field[] {
  if (!isPlainObject(schema)) return []
  if (schema.items !== undefined) return fieldsOf(schema.items, prefix === '' ? '[].' : `${prefix.slice(0, -1)}[].`)
  if (Array.isArray(schema.anyOf)) return unlike(schema.anyOf.flatMap((one) => fieldsOf(one, prefix)))
  if (!isPlainObject(schema.properties)) return []
  const required = Array.isArray(schema.required) ? schema.required : []
  return Object.entries(schema.properties).flatMap(([name, own]) => [
    { name: prefix + name, isRequired: required.includes(name), schema: own },
    ...fieldsOf(own, `${prefix}${name}.`),
  ])
}

const unlike = (fields: Field[]) => [...new Map(fields.map((field) => [field.name, field])).values()]

const descriptionOf = (schema: unknown) => (isPlainObject(schema) ? String(schema.description ?? '') : '')

export function typeOf(schema: unknown): string {
  if (!isPlainObject(schema)) return 'anything'
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.split('/').at(-1) ?? ''
    return `<a href="./schemas.html#schema-${name.toLowerCase()}">${name}</a>`
  }
  if (Array.isArray(schema.enum)) return valuesOf(schema.enum) + defaultOf(schema)
  if (schema.items !== undefined) return `list of ${typeOf(schema.items)}${limitsOf(schema)}`
  if (Array.isArray(schema.anyOf)) return [...new Set(schema.anyOf.map(typeOf))].join(' or ')
  const type = [schema.type ?? 'anything'].flat().join(' or ')
  return escapeHtml(type) + limitsOf(schema)
}

const mostShown = 12

function valuesOf(values: unknown[]): string {
  const all = values.map((value) => `<code>${escapeHtml(String(value))}</code>`).join(' ')
  return values.length > mostShown ? `<details><summary>one of ${values.length}</summary>${all}</details>` : all
}

function limitsOf(schema: Record<string, unknown>): string {
  const limits = [
    schema.format,
    range(schema.minLength, schema.maxLength, 'characters'),
    range(schema.minimum, schema.maximum, ''),
    range(schema.minItems, schema.maxItems, 'items'),
  ]
  return limits.flatMap((limit) => (limit ? [`, ${escapeHtml(String(limit))}`] : [])).join('') + defaultOf(schema)
}

function range(least: unknown, most: unknown, unit: string): string {
  if (least === undefined && most === undefined) return ''
  const words =
    most === undefined ? `at least ${least}` : least === undefined ? `at most ${most}` : `${least} to ${most}`
  return `${words} ${unit}`.trim()
}

const defaultOf = (schema: Record<string, unknown>) =>
  schema.default === undefined ? '' : `, default <code>${escapeHtml(JSON.stringify(schema.default))}</code>`
