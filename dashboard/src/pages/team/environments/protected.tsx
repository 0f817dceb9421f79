import { useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { addressOf } from '../../../lib/address.ts'
import { useMay } from '../../../lib/may.ts'
import { paths } from '../../../lib/paths.ts'
import { useSession } from '../../../lib/session.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { ReadOnly } from '../../../ui/form/read-only.tsx'
import { MayNotNotice } from '../../../ui/may.tsx'
import { Notice } from '../../../ui/notice.tsx'

import { useSource } from './queries.ts'

export function useProtected(): boolean {
  return useSession().environment.protected
}

/** Whether workflows, layouts and languages can be changed here, by whoever is signed in. */
function useMayChangeContent(): boolean {
  const mayChange = useMay('content')
  return !useProtected() && mayChange
}

/**
 * Around workflows, layouts and languages: in a protected environment, and for those who may not change them, they can be
 * read, and it says what to do instead.
 */
export function Protected({ children }: { children: ReactNode }) {
  return (
    <ReadOnly when={!useMayChangeContent()}>
      <ProtectedNotice />
      {children}
    </ReadOnly>
  )
}

/** For what stands beside it, such as the buttons of the page. */
export function IfUnprotected({ children }: { children: ReactNode }) {
  return useMayChangeContent() ? children : null
}

/** Only what it says, for lists: what they are filtered by can be set. */
export function ProtectedNotice() {
  const { environment } = useSession()
  const { href } = useLocation()
  const source = useSource()
  if (!environment.protected) return <MayNotNotice needs="content" />
  return (
    <Notice
      label="Protected environment"
      action={
        source && (
          <div className="flex flex-wrap gap-2">
            <ButtonLink href={paths.publish}>Publish</ButtonLink>
            <ButtonLink href={addressOf(source.slug, href)}>Open in {source.name}</ButtonLink>
          </div>
        )
      }
    >
      <strong className="font-semibold">{environment.name} is protected.</strong> Workflows, layouts and languages
      change here only by publishing. Change them {source ? `in ${source.name}` : 'where they are made'}, and publish.
    </Notice>
  )
}
