import { Novu } from '@novu/api-newest'
import { Novu as OlderNovu } from '@novu/node'
import type { Route } from '../../src/http/load-routes.ts'
import { addressOf, clientOperations, olderMethods } from './client-operations.ts'
import { missingMethods, missingOperations, reasonFor } from './client-reasons.ts'

/** docs/migrating.md with its lists made anew, between their markers: what clients can call, and what is here. */
export function migratingPage(page: string, routes: readonly Route[]): string {
  const lists = { operations: operationsList(routes), 'older-methods': olderList() }
  return Object.entries(lists).reduce((text, [name, list]) => {
    const [before, after] = [`<!-- list: ${name} -->\n`, `<!-- end of list: ${name} -->`]
    const [from, to] = [text.indexOf(before) + before.length, text.indexOf(after)]
    if (from < before.length || to < from) throw new Error(`docs/migrating.md has no place for the list ${name}`)
    return `${text.slice(0, from)}\n${list}\n\n${text.slice(to)}`
  }, page)
}

/** Every operation of the newest client. `reason`: null when it is served. */
export function servedOperations(routes: readonly Route[]) {
  const served = new Set(routes.map(addressOf))
  return clientOperations('@novu/api-newest', new Novu()).map((operation) => ({
    ...operation,
    isServed: served.has(addressOf(operation)),
    reason: reasonFor(missingOperations, operation.name),
  }))
}

function operationsList(routes: readonly Route[]): string {
  const all = servedOperations(routes)
  const rows = all
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(
      ({ name, method, path, isServed, reason }) =>
        `| \`${name}\` | \`${method} ${path}\` | ${isServed ? 'yes' : `no: ${reason}`} |`,
    )
  const count = all.filter(({ isServed }) => isServed).length
  return [`${count} of ${all.length} are served.`, '', '| operation | call | served |', '|---|---|---|', ...rows].join(
    '\n',
  )
}

function olderList(): string {
  const all = olderMethods(new OlderNovu('none'))
  const reasons = new Map<string, string[]>()
  for (const method of all.sort()) {
    const reason = reasonFor(missingMethods, method)
    if (reason !== null) reasons.set(reason, [...(reasons.get(reason) ?? []), `\`${method}\``])
  }
  const rows = [...reasons].map(([reason, methods]) => `| ${methods.join(', ')} | ${reason} |`)
  const missing = [...reasons.values()].flat().length
  return [
    `${all.length - missing} of ${all.length} are served, all but these:`,
    '',
    '| method | why not |',
    '|---|---|',
    ...rows,
  ].join('\n')
}
