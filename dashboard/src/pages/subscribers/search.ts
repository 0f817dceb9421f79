import type { Subscriber } from '../../api/types.ts'
import type { PagedList } from '../../lib/pages.ts'

/** "240 subscribers", "more than 50,000 topics"; nothing while it is not known. */
export function countOf(list: PagedList<unknown>, noun: string): string {
  if (list.total === null || list.isPending) return ''
  const count = list.total.toLocaleString('en')
  return `${list.totalCapped ? 'more than ' : ''}${count} ${noun}${list.total === 1 ? '' : 's'}`
}

/** Whoever has exactly this id, then the others as they came. */
export function exactFirst(people: Subscriber[], search: string): Subscriber[] {
  const isExact = ({ subscriberId }: Subscriber) => subscriberId === search
  return people.some(isExact) ? people.toSorted((a, b) => Number(isExact(b)) - Number(isExact(a))) : people
}
