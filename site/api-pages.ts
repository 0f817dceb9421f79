import type { OpenApi, Operation } from '../src/http/openapi.ts'
import { escapeHtml, fieldsTable, toTable, typeOf } from './api-fields.ts'

/** The API reference, from its description: a page for each resource, and one with the shapes they share. */
type Entry = { method: string; path: string; operation: Operation }
export type Group = { name: string; title: string; entries: Entry[] }

/** By the first word of the path behind its version: all that is about topics is on one page. */
export function groupsOf(api: OpenApi): Group[] {
  const entries = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  )
  const groups = Map.groupBy(entries, ({ path }) => path.replace(/^\/v\d+/, '').split('/')[1] ?? '')
  return [...groups]
    .map(([name, own]) => ({ name, title: titleOf(name), entries: own }))
    .toSorted((a, b) => a.title.localeCompare(b.title))
}

const titles: Record<string, string> = { 'api-keys': 'API keys', dev: 'Development' }
const titleOf = (name: string) => titles[name] ?? (name.charAt(0).toUpperCase() + name.slice(1)).replaceAll('-', ' ')

/** Path of each page, and its Markdown. */
export function apiPages(api: OpenApi): Map<string, string> {
  const groups = groupsOf(api)
  return new Map([
    ['api/index.md', firstPage(api, groups)],
    ...groups.map((group): [string, string] => [`api/${group.name}.md`, groupPage(group)]),
    ['api/schemas.md', schemasPage(api)],
  ])
}

function firstPage(api: OpenApi, groups: Group[]): string {
  const sections = groups.map((group) => `## [${group.title}](${group.name}.md)\n\n${summaryTable(group)}`)
  return `# API reference

${escapeHtml(api.info.description)}

- Every request carries its key: \`Authorization: ApiKey <key>\`. The key also says which environment is meant.
- Bodies and replies are JSON. A refused request is answered with one flat object, an [Error](schemas.md#schema-error);
  act on its \`code\`.
- Any POST, PUT, PATCH or DELETE may carry an \`idempotency-key\`: the same request again gets the same reply, for 24 hours.
- For programs: <a href="../openapi.json" target="_self" download>openapi.json</a>. A running server has both itself, at
  \`/docs\` and \`/openapi.json\`.

${sections.join('\n\n')}
`
}

function summaryTable({ name, entries }: Group): string {
  const rows = entries.map(
    ({ method, path, operation }) =>
      `<tr><td>${badge(method)}</td><td><a href="./${name}.html#${operation.operationId}"><code>${escapeHtml(path)}</code></a></td><td>${escapeHtml(operation.summary)}</td></tr>`,
  )
  return `<table class="operations"><tbody>${rows.join('')}</tbody></table>`
}

function groupPage(group: Group): string {
  return `# ${group.title}

${summaryTable(group)}

${group.entries.map(operationText).join('\n\n')}
`
}

function operationText({ method, path, operation }: Entry): string {
  const body = operation.requestBody?.content['application/json']?.schema
  const parts = [
    `## ${escapeHtml(operation.summary)} %{#${operation.operationId}}%`,
    `<p class="operation">${badge(method)} <code>${escapeHtml(path)}</code></p>`,
    'description' in operation ? escapeHtml(String(operation.description)) : '',
    whoMayCall(operation),
    operation.parameters.length > 0 ? `### Parameters\n\n${parametersTable(operation)}` : '',
    body === undefined ? '' : `### Body\n\n${fieldsTable(body)}`,
    `### Replies\n\n${repliesTable(operation)}`,
  ]
  return parts.filter(Boolean).join('\n\n')
}

/** An API key opens everything that is not named here. */
function whoMayCall({ security }: Operation): string {
  const ways = security.flatMap((way) => Object.keys(way))
  if (ways.length === 0) return 'Needs no API key.'
  return ways.includes('apiKey') ? '' : 'Needs a session of the dashboard, not an API key.'
}

function parametersTable({ parameters }: Operation): string {
  const rows = parameters.map(({ name, in: place, required, deprecated, description, schema }) => [
    `<code>${escapeHtml(name)}</code>${required ? ' <em>required</em>' : ''}${deprecated ? ' <em>deprecated</em>' : ''}`,
    place,
    typeOf(schema),
    escapeHtml(description ?? ''),
  ])
  return toTable(['Name', 'In', 'Type', 'Meaning'], rows)
}

function repliesTable({ responses }: Operation): string {
  const rows = Object.entries(responses).map(([status, { description, content = {} }]) => [
    status === 'default' ? 'any other' : `<code>${status}</code>`,
    escapeHtml(description),
    contentOf(content),
  ])
  return toTable(['Status', 'Meaning', 'Content'], rows)
}

function contentOf(content: Record<string, { schema: unknown }>): string {
  const [kind] = Object.keys(content)
  if (kind === undefined) return 'none'
  return kind === 'application/json' ? fieldsTable(content[kind]?.schema) : `<code>${kind}</code>`
}

function schemasPage(api: OpenApi): string {
  const sections = Object.entries(api.components.schemas).map(
    ([name, schema]) => `## ${name} %{#schema-${name.toLowerCase()}}%\n\n${fieldsTable(schema)}`,
  )
  return `# Schemas\n\nThe shapes that bodies and replies of several operations share.\n\n${sections.join('\n\n')}\n`
}

const badge = (method: string) => `<span class="method ${method}">${method.toUpperCase()}</span>`
