type RawQuery = Record<string, string | string[]>

const shape = /^tags\[(\d{1,2})\]\[\]$/

/** Clients from 3.15 on ask for "one of each group" as `tags[0][]=a&tags[1][]=b`: here `tagGroups`, a JSON list of each. */
export function withTagGroups(query: RawQuery): RawQuery {
  const groups = Object.entries(query).flatMap(([name, value]) => {
    const place = shape.exec(name)?.[1]
    return place === undefined ? [] : [{ place: Number(place), text: JSON.stringify([value].flat()) }]
  })
  if (groups.length === 0) return query
  return { ...query, tagGroups: groups.sort((a, b) => a.place - b.place).map(({ text }) => text) }
}
