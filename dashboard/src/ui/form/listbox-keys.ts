/** Where somebody is in a list of suggestions. `active` is -1 while they are on none. */
export type Place = { active: number; walked: boolean }

/**
 * Where a key leads; null when it is no key of the list. Home and End move the caret of the text until an arrow has
 * walked into the list.
 */
export function walk({ active, walked }: Place, key: string, count: number): Place | null {
  const to = (index: number): Place => ({ active: count > 0 ? index : -1, walked: true })
  switch (key) {
    case 'ArrowDown':
      return to(active + 1 < count ? active + 1 : 0)
    case 'ArrowUp':
      return to(active > 0 ? Math.min(active, count) - 1 : count - 1)
    case 'Home':
      return walked ? to(0) : null
    case 'End':
      return walked ? to(count - 1) : null
    default:
      return null
  }
}
