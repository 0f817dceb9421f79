import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

/** The text of every file of a chart, by its path inside the chart. */
export type Chart = Readonly<Record<string, string>>
export type Values = { [name: string]: unknown }

export const chartFolder = join(import.meta.dirname, '../../../deploy/chart')

export function readChart(folder = chartFolder): Chart {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const files = paths.filter((path) => statSync(join(folder, path)).isFile())
  return Object.fromEntries(files.map((path) => [path, readFileSync(join(folder, path), 'utf8')]))
}

/** The values that templates see: the given ones over the defaults, where null removes a default. */
export function valuesOf(chart: Chart, given: Values): Values {
  return merge(parse(chart['values.yaml'] ?? ''), given)
}

function merge(defaults: Values, given: Values): Values {
  const merged = { ...defaults }
  for (const [name, value] of Object.entries(given)) {
    const before = defaults[name]
    if (value === null) delete merged[name]
    else merged[name] = isObject(before) && isObject(value) ? merge(before, value) : value
  }
  return merged
}

export function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
