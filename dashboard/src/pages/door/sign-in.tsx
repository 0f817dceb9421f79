import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { type ApiFault, toFault } from '../../api/fault.ts'
import { Door } from '../../layout/door.tsx'
import { signIn } from '../../lib/session.ts'
import { SkeletonLines, Spinner } from '../../ui/spinner.tsx'
import { ByEmail } from './sign-in/by-email.tsx'
import { ByKey } from './sign-in/by-key.tsx'
import { ByPassword } from './sign-in/by-password.tsx'
import { useEnter } from './sign-in/use-enter.ts'
import { waysQuery } from './sign-in/ways.ts'

/** A link works once, also when this page is drawn twice: it is taken out of the address and used a single time. */
function useLink(): { busy: boolean; fault: ApiFault | null } {
  const enter = useEnter()
  const [state, setState] = useState<{ busy: boolean; fault: ApiFault | null }>(() => ({
    busy: location.hash.startsWith('#link='),
    fault: null,
  }))
  const used = useRef(false)
  useEffect(() => {
    const link = location.hash.startsWith('#link=') ? location.hash.slice('#link='.length) : ''
    if (!link || used.current) return
    used.current = true
    history.replaceState(history.state, '', location.pathname + location.search)
    signIn({ link }).then(enter, (error: unknown) => setState({ busy: false, fault: toFault(error) }))
  })
  return state
}

export default function SignIn() {
  const link = useLink()
  const { by } = useSearch({ strict: false }) as { by?: string }
  const { data: ways, isPending } = useQuery({ ...waysQuery, enabled: !link.busy })
  if (link.busy)
    return (
      <Door title="Sign in">
        <p role="status" className="mt-3 flex items-center gap-2 text-muted">
          <Spinner size={14} /> Signing in by the link
        </p>
      </Door>
    )
  if (isPending)
    return (
      <Door title="Sign in">
        <div className="mt-3">
          <SkeletonLines lines={3} />
        </div>
      </Door>
    )
  // Whether there are people could not be asked: then both ways are offered.
  const hasPeople = ways?.people ?? true
  if (hasPeople && by !== 'key')
    return ways?.connections ? <ByEmail fault={link.fault} /> : <ByPassword fault={link.fault} />
  return <ByKey hasPeople={hasPeople} fault={link.fault} />
}
