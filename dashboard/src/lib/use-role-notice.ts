import { useEffect, useRef } from 'react'
import type { Session } from '../api/types.ts'
import { toast } from '../ui/toast.tsx'
import { useSession } from './session.ts'

type Role = Pick<Session, 'environment' | 'role' | 'permissions'>

/** Somebody changed what one may do here. The pages follow by themselves; this says why they look different now. */
export function useRoleNotice(): void {
  const now = useSession()
  const before = useRef<Role>(now)
  useEffect(() => {
    const text = now.person ? wordsOfChange(before.current, now) : null
    before.current = now
    if (text) toast.warn(text)
  }, [now])
}

export function wordsOfChange(before: Role, now: Role): string | null {
  const { environment, role } = now
  const isSame = before.role === role && before.permissions.join() === now.permissions.join()
  if (isSame || before.environment.id !== environment.id) return null
  if (!role) return `Somebody changed your role: in ${environment.name} you have none any more.`
  return `Somebody changed your role: in ${environment.name} you are ${/^[aeiou]/.test(role) ? 'an' : 'a'} ${role} now.`
}
