type Named = { name: string; layoutId: string }

/** Those whose name or id has these letters, in any case. The default one first, then by name. */
export function matching<One extends Named & { isDefault: boolean }>(layouts: readonly One[], query: string): One[] {
  const wanted = query.trim().toLowerCase()
  const fits = ({ name, layoutId }: Named) => [name, layoutId].some((text) => text.toLowerCase().includes(wanted))
  return layouts
    .filter(fits)
    .toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault) || a.name.localeCompare(b.name, 'en'))
}
