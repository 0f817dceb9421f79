import { isPlainObject } from '../lib/canonical-json.ts'
import type { OpenApi, Operation } from './openapi.ts'

/** The API reference as one page. It needs no script and loads nothing from elsewhere. */
export function referencePage(api: OpenApi): string {
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const groups = [...Map.groupBy(operations, ({ operation }) => operation.tags[0] ?? '')]
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Tidings API</title><style>${style}</style>
<header><h1>Tidings API</h1><p>${escapeHtml(api.info.description)} The machine-readable form is
<a href="/openapi.json">/openapi.json</a>; every request carries <code>Authorization: ApiKey &lt;key&gt;</code>.</p>
<nav>${groups.map(([tag]) => `<a href="#${idOf(tag)}">${tag}</a>`).join(' ')} <a href="#schemas">Schemas</a></nav></header>
<main>${groups
    .map(
      ([tag, list]) =>
        `<h2 id="${idOf(tag)}">${tag}</h2>${list.map(({ path, method, operation }) => operationHtml(path, method, operation)).join('')}`,
    )
    .join('')}
<h2 id="schemas">Schemas</h2>${Object.entries(api.components.schemas)
    .map(
      ([name, schema]) =>
        `<details id="schema-${name}"><summary><b>${name}</b></summary>${propertiesHtml(schema)}</details>`,
    )
    .join('')}</main></html>`
}

const idOf = (tag: string) => tag.toLowerCase().replaceAll(' ', '-')

function operationHtml(path: string, method: string, operation: Operation): string {
  const body = operation.requestBody?.content['application/json']?.schema
  return `<details id="${operation.operationId}"><summary><span class="${method}">${method.toUpperCase()}</span>
<code>${escapeHtml(path)}</code> ${escapeHtml(operation.summary)}</summary>
${operation.parameters.length > 0 ? `<h3>Parameters</h3>${parametersHtml(operation)}` : ''}
${body ? `<h3>Body</h3>${propertiesHtml(body)}` : ''}
<h3>Replies</h3>${Object.entries(operation.responses).map(replyHtml).join('')}</details>`
}

function parametersHtml(operation: Operation): string {
  const rows = operation.parameters.map(
    ({ name, in: place, required, description, schema }) =>
      `<tr><td><code>${escapeHtml(name)}</code>${required ? ' *' : ''}</td><td>${place}</td><td>${typeHtml(schema)}</td><td>${escapeHtml(description ?? '')}</td></tr>`,
  )
  return `<table>${rows.join('')}</table>`
}

function replyHtml([status, reply]: [string, Operation['responses'][string]]): string {
  const schema = reply.content?.['application/json']?.schema
  return `<p><b>${status}</b> ${escapeHtml(reply.description)} ${schema ? typeHtml(schema) : ''}</p>${
    status !== 'default' && isPlainObject(schema) && schema.properties ? propertiesHtml(schema) : ''
  }`
}

function propertiesHtml(schema: unknown): string {
  if (!isPlainObject(schema)) return ''
  if (!isPlainObject(schema.properties)) return `<p>${typeHtml(schema)}</p>`
  const required = Array.isArray(schema.required) ? schema.required : []
  const rows = Object.entries(schema.properties).map(
    ([name, property]) =>
      `<tr><td><code>${escapeHtml(name)}</code>${required.includes(name) ? ' *' : ''}</td><td>${typeHtml(property)}</td><td>${
        isPlainObject(property) ? escapeHtml(String(property.description ?? '')) : ''
      }${isPlainObject(property) && isPlainObject(property.properties) ? propertiesHtml(property) : ''}</td></tr>`,
  )
  return `<table>${rows.join('')}</table>`
}

function typeHtml(schema: unknown): string {
  if (!isPlainObject(schema)) return ''
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.split('/').at(-1) ?? ''
    return `<a href="#schema-${name}">${name}</a>`
  }
  if (Array.isArray(schema.enum))
    return schema.enum.map((value) => `<code>${escapeHtml(String(value))}</code>`).join(' ')
  if (schema.items) return `array of ${typeHtml(schema.items)}`
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map(typeHtml).join(' or ')
  const limits = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems', 'format']
    .filter((name) => schema[name] !== undefined)
    .map((name) => `${name} ${schema[name]}`)
  const type = [schema.type ?? 'any'].flat().join(' or ')
  return escapeHtml(limits.length > 0 ? `${type} (${limits.join(', ')})` : type)
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

const style = `
:root{color-scheme:light dark;--line:color-mix(in srgb,currentColor 18%,transparent);--soft:color-mix(in srgb,currentColor 6%,transparent)}
body{font:15px/1.5 system-ui,sans-serif;margin:0 auto;max-width:60rem;padding:1.5rem}
h1{margin:0}h2{margin:2rem 0 .5rem}h3{margin:1rem 0 .25rem;font-size:.9rem}
nav a{margin-right:.75rem;white-space:nowrap}
details{border:1px solid var(--line);border-radius:.5rem;margin:.4rem 0;padding:.5rem .75rem}
summary{cursor:pointer}table{border-collapse:collapse;width:100%;font-size:.9rem}
td{border-top:1px solid var(--line);padding:.3rem .5rem;vertical-align:top}
code{background:var(--soft);border-radius:.25rem;padding:.05rem .3rem;overflow-wrap:anywhere}
summary span{display:inline-block;min-width:4rem;font-weight:700}
.get{color:#1a7f37}.post{color:#0969da}.put,.patch{color:#9a6700}.delete{color:#cf222e}`
