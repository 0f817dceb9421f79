import { type AnyRouter, useRouter } from '@tanstack/react-router'
import { environmentIn } from './address.ts'

const guards = new Set<() => Promise<boolean>>()

/** Asked before another environment is entered: loading anew loses what is not saved. False: rather stay. */
export function addGuard(mayLeave: () => Promise<boolean>): () => void {
  guards.add(mayLeave)
  return () => guards.delete(mayLeave)
}

/** Goes to a page of this environment, or to the address of one in another, which loads everything anew. */
export async function follow(router: Pick<AnyRouter, 'history'>, href: string): Promise<void> {
  if (environmentIn(href) === null) return router.history.push(href)
  for (const mayLeave of guards) if (!(await mayLeave())) return
  location.assign(href)
}

export function useFollow(): (href: string) => void {
  const router = useRouter()
  return (href) => void follow(router, href)
}
