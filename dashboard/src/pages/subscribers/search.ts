import type { PagedList } from '../../lib/pages.ts'

export const whereOptions = [
  { value: 'name', label: 'in names' },
  { value: 'email', label: 'in e-mails' },
  { value: 'phone', label: 'in phones' },
  { value: 'subscriberId', label: 'whole id' },
] as const
export type Where = (typeof whereOptions)[number]['value']

/** What somebody who types this probably looks for. */
export function guessWhere(search: string): Where {
  if (search.includes('@')) return 'email'
  return /^\+?[\d\s()/-]{3,}$/.test(search) ? 'phone' : 'name'
}

/** "240 subscribers", "more than 50,000 topics"; nothing while it is not known. */
export function countOf(list: PagedList<unknown>, noun: string): string {
  if (list.total === null || list.isPending) return ''
  const count = list.total.toLocaleString('en')
  return `${list.totalCapped ? 'more than ' : ''}${count} ${noun}${list.total === 1 ? '' : 's'}`
}
