import type { TSchema } from 'typebox'

type RawQuery = Record<string, string | string[]>

/** Some clients know no whole numbers and write 10 as `10.0`. Only where a route wants a whole number. */
export function withWholeNumbers(query: RawQuery, schema: TSchema): RawQuery {
  const properties: Record<string, { type?: string }> = 'properties' in schema ? Object(schema.properties) : {}
  const isWhole = (name: string) => Object.hasOwn(properties, name) && properties[name]?.type === 'integer'
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      name,
      typeof value === 'string' && isWhole(name) ? value.replace(/^(-?\d+)\.0+$/, '$1') : value,
    ]),
  )
}
