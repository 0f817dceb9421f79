import { type Static, type TSchema, Type } from 'typebox'
import { invalidField, validationFailed } from '../../errors.ts'
import { isPlainObject } from '../../lib/canonical-json.ts'
import { findRefusedContent } from '../../lib/read-json.ts'
import { fields, freeObject, oneOf } from '../../lib/schemas.ts'
import { fieldFaultFinder } from '../../lib/validate.ts'
import type { DataCondition, FeedFilter } from '../../store/history/feed.ts'
import { severities } from '../workflows/workflow.ts'

const tag = Type.String({ maxLength: 100 })
const tagList = Type.Array(tag, { maxItems: 50 })
const tagGroups = fields({
  or: Type.Optional(tagList),
  and: Type.Optional(Type.Array(fields({ or: tagList }), { maxItems: 50 })),
})
const contextKeys = Type.Optional(Type.Array(Type.String({ description: 'type:id' }), { maxItems: 50 }))

// The end of the year 9999; the time in a UUIDv7 has only 48 bits.
const moment = Type.Optional(Type.Integer({ minimum: 0, maximum: 253_402_300_799_999, description: 'Milliseconds.' }))

const jsonText = Type.String({
  description:
    'A partial `data`, as JSON. A list means any of its values, also as { or: [] } or { and: [{ or: [] }] }.',
})

/** What a bulk change may be limited to. An empty `tags` object limits nothing: the published client sends no other. */
const limits = {
  tags: Type.Optional(
    Type.Unsafe<string[] | Static<typeof tagGroups>>({
      anyOf: [tagList, tagGroups],
      description: 'One of these, also as { or: [] }, or { and: [{ or: [] }] }: one of each.',
    }),
  ),
  data: Type.Optional(jsonText),
  contextKeys,
}
const flags = {
  read: Type.Optional(Type.Boolean()),
  seen: Type.Optional(Type.Boolean()),
  archived: Type.Optional(Type.Boolean({ default: false })),
  snoozed: Type.Optional(Type.Boolean({ default: false })),
}
const severity = oneOf(severities)
const severityList = Type.Array(severity, { maxItems: 10 })
const others = {
  severity: Type.Optional(severityList),
  createdGte: moment,
  createdLte: moment,
}

export const contextQuery = fields({ contextKeys })
export const bulkInput = fields(limits)
export const bulkSeenInput = fields({
  notificationIds: Type.Optional(Type.Array(Type.String(), { maxItems: 1000 })),
  ...limits,
})
export const inboxQuery = { ...flags, ...others, ...limits, tags: Type.Optional(tagList) }

const countFilter = fields({
  ...flags,
  ...others,
  ...limits,
  data: Type.Optional(Type.Unsafe<string | Record<string, unknown>>({ anyOf: [jsonText, freeObject] })),
  // The bell of the published components sends one word.
  severity: Type.Optional(
    Type.Unsafe<Static<typeof severity> | Static<typeof severityList>>({ anyOf: [severity, severityList] }),
  ),
})
type FilterInput = Static<typeof countFilter>

/** What the feed shows by default. */
export const inFeed = { archived: false, snoozed: false }

export function toFeedFilter(input: FilterInput, field = 'data'): FeedFilter {
  const { read, seen, archived, snoozed, severity, createdGte, createdLte } = input
  const data = typeof input.data === 'string' ? readObject(input.data, field) : input.data
  return {
    ...(read !== undefined && { read }),
    ...(seen !== undefined && { seen }),
    ...(archived !== undefined && { archived }),
    ...(snoozed !== undefined && { snoozed }),
    ...(severity && { severity: [severity].flat() }),
    ...(createdGte !== undefined && { createdFrom: new Date(createdGte) }),
    ...(createdLte !== undefined && { createdTo: new Date(createdLte) }),
    ...(data && { data: toDataConditions(data, field) }),
    ...(input.tags && { tags: toGroups(input.tags) }),
    ...(input.contextKeys && { contextKeys: [...new Set(input.contextKeys)].sort() }),
  }
}

const findTagFaults = fieldFaultFinder(Type.Object({ tags: tagGroups }))

/** Each group is a JSON list, as the host wrote it. */
export function readTagGroups(groups: readonly string[]): Static<typeof tagGroups> {
  const tags = { and: groups.map((text) => ({ or: readJson(text) })) }
  const faults = findTagFaults({ tags })
  if (faults) throw validationFailed(faults)
  // Checked by the schema just above.
  return tags as Static<typeof tagGroups>
}

function toGroups(tags: NonNullable<FilterInput['tags']>): string[][] {
  if (Array.isArray(tags)) return tags.length > 0 ? [tags] : []
  return [...(tags.or ? [tags.or] : []), ...(tags.and ?? []).map((group) => group.or)]
}

// More than any real filter; each is a condition of the statement.
const maxDataConditions = 30
const maxDataValues = 100

/** Each key must match: with its value, one of a list, or one of each list of `and`. An object is looked into once. */
function toDataConditions(data: Record<string, unknown>, field: string): DataCondition[] {
  const found = Object.entries(data).flatMap(([key, value]) => conditionsOf([key], value))
  const isTooMuch = found.length > maxDataConditions || found.some(({ anyOf }) => anyOf.length > maxDataValues)
  if (isTooMuch) throw invalidField(field, `may have ${maxDataConditions} conditions of ${maxDataValues} values`)
  return found
}

function conditionsOf(path: string[], value: unknown): DataCondition[] {
  if (Array.isArray(value)) return value.length > 0 ? [{ path, anyOf: value }] : []
  if (!isPlainObject(value)) return [{ path, anyOf: [value] }]
  const entries = Object.entries(value)
  const [first] = entries
  if (entries.length === 1 && first && Array.isArray(first[1])) {
    const [word, list] = first
    if (word === 'or') return conditionsOf(path, list)
    if (word === 'and')
      return list.flatMap((group: unknown) => conditionsOf(path, isPlainObject(group) ? group.or : group))
  }
  if (path.length > 1) return [{ path, anyOf: [value] }]
  return entries.flatMap(([key, inner]) => conditionsOf([...path, key], inner))
}

function readObject(text: string, field: string): Record<string, unknown> {
  const value = readJson(text)
  if (!isPlainObject(value) || findRefusedContent(value)) throw invalidField(field, 'must be a JSON object', text)
  return value
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

// The most that clients ask for at once.
const maxCounts = 30
const countFilters: TSchema = Type.Array(countFilter, { minItems: 1, maxItems: maxCounts })
const findFaults = fieldFaultFinder(Type.Object({ filters: countFilters }))

export type AskedCount = { asked: Record<string, unknown>; filter: FeedFilter }

/** Reads the `filters` of a count, a JSON list. `asked` is sent back as it came. */
export function readCountFilters(text: string): AskedCount[] {
  const filters = readJson(text)
  const refused = filters === undefined ? { reason: 'is not JSON' } : findRefusedContent(filters)
  if (refused) throw invalidField('filters', refused.reason)
  const faults = findFaults({ filters })
  if (faults) throw validationFailed(faults)
  // Checked by the schema just above.
  return (filters as FilterInput[]).map((asked, index) => ({
    asked,
    filter: { ...inFeed, ...toFeedFilter(asked, `filters.${index}.data`) },
  }))
}
