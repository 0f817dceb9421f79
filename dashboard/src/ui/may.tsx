import type { ReactNode } from 'react'
import { type Permission, useMay, whyNot } from '../lib/may.ts'
import { useSession } from '../lib/session.ts'
import { ReadOnly } from './form/read-only.tsx'
import { Notice } from './notice.tsx'

/** What only those may use who may do it. */
export function IfMay({ needs, children }: { needs: Permission; children: ReactNode }) {
  return useMay(needs) ? children : null
}

/** Says why there is nothing to press here; nothing for those who may. */
export function MayNotNotice({ needs }: { needs: Permission }) {
  const session = useSession()
  if (useMay(needs)) return null
  return (
    <Notice label="What you may do here">
      <strong className="font-semibold">You can look, and not change.</strong> {whyNot(needs, session)}
    </Notice>
  )
}

/** All fields inside can be read and copied only by those who may not change them. */
export function ChangedBy({ needs, children }: { needs: Permission; children: ReactNode }) {
  return <ReadOnly when={!useMay(needs)}>{children}</ReadOnly>
}
