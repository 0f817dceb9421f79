import { useQuery } from '@tanstack/react-query'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { useEffect } from 'react'
import { apiOfSession } from '../../api/client.ts'
import { ApiFault, toFault } from '../../api/fault.ts'
import { signedOut } from '../../api/signed-out.ts'
import type { ListedEnvironment } from '../../api/types.ts'
import { BrandMark } from '../../layout/nav.tsx'
import { listPaths } from '../../layout/nav-items.ts'
import { addressOf, pageElsewhere, pageIn } from '../../lib/address.ts'
import { ownEnvironment } from '../../lib/environment.ts'
import { lossOf, sessionOutsideQuery, useSignOut } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { FaultNote } from '../../ui/empty.tsx'
import { EnvironmentDot, EnvironmentMarks } from '../../ui/environment.tsx'
import { Failure } from '../../ui/failure.tsx'
import { SkeletonLines } from '../../ui/spinner.tsx'
import { Time } from '../../ui/time.tsx'

/** Instead of every page of an environment that one cannot get into: why, and where one can go. */
export function NoEnvironment(props: ErrorComponentProps) {
  const fault = lossOf(props.error)
  return fault ? <Lost fault={fault} /> : <Failure {...props} />
}

function Lost({ fault }: { fault: ApiFault }) {
  const { data, error } = useQuery({
    queryKey: ['reachable-environments'],
    queryFn: () => apiOfSession.get('/v1/environments'),
    retry: false,
  })
  const { data: self } = useQuery(sessionOutsideQuery)
  const signOut = useSignOut()
  const slug = ownEnvironment() ?? ''
  useEffect(() => {
    document.title = 'No such environment · Tidings'
  }, [])
  useEffect(() => {
    if (error instanceof ApiFault && error.status === 401) signedOut()
  }, [error])
  const open = data?.filter(({ deletedAt, isElsewhere }) => !deletedAt && !isElsewhere) ?? []
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center px-4 py-10">
      <div className="w-full max-w-md">
        <div className="mb-6 flex justify-center">
          <BrandMark />
        </div>
        <div className="rounded-xl border border-line bg-surface p-6 shadow-card">
          <Reason
            fault={fault}
            slug={slug}
            gone={data?.find((it) => it.slug === slug && it.deletedAt)}
            isPerson={self?.person !== undefined}
          />
          {error && <FaultNote fault={toFault(error)} />}
          {!data && !error && <SkeletonLines lines={2} />}
          {open.length > 0 && <Choice environments={open} />}
        </div>
        <div className="mt-4 flex justify-center">
          <Button kind="quiet" size="sm" icon="out" onClick={() => void signOut()}>
            Sign in otherwise
          </Button>
        </div>
      </div>
    </main>
  )
}

type ReasonProps = { fault: ApiFault; slug: string; gone: ListedEnvironment | undefined; isPerson: boolean }

function Reason({ fault, slug, gone, isPerson }: ReasonProps) {
  const name = <span className="font-mono text-sm break-all">{slug}</span>
  if (gone) {
    return (
      <Said title={`${gone.name} was deleted`}>
        That was <Time at={gone.deletedAt} />. Until <Time at={gone.purgedAfter} full /> it can be restored: open
        another environment, and there Settings, Environments.
      </Said>
    )
  }
  switch (fault.code) {
    case 'environment_out_of_reach':
      return (
        <Said title="This environment is out of reach">
          {isPerson ? (
            <>You have no role in {name}. Owners and admins of the organization can give you one.</>
          ) : (
            <>
              You signed in with a key that opens one environment, and {name} is another. Whoever has a key of the whole
              organization can open it.
            </>
          )}
        </Said>
      )
    case 'environment_elsewhere':
      return (
        <Said title="This environment lives elsewhere">
          {name} was moved to another cell, which has an address and sign-in of its own.
        </Said>
      )
    default:
      return (
        <Said title="There is no such environment">
          None that you can get into is called {name}. The link may be mistyped, belong to another organization, or the
          environment is gone.
        </Said>
      )
  }
}

function Said({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div role="alert">
      <h1 className="text-lg">{title}</h1>
      <p className="mt-1 text-muted">{children}</p>
    </div>
  )
}

/** The same list, where the link was to one. Whole loads: this window has no environment to show. */
function Choice({ environments }: { environments: readonly ListedEnvironment[] }) {
  const page = pageElsewhere(pageIn(location.pathname), listPaths)
  return (
    <nav aria-label="Environments" className="mt-5">
      <p className="mb-2 text-sm text-muted">You can go to</p>
      <ul className="flex flex-col gap-1.5">
        {environments.map((it) => (
          <li key={it._id}>
            <a
              href={addressOf(it.slug, page)}
              className="flex h-10 items-center gap-2.5 rounded-md border border-line px-3 font-medium hover:border-line-strong hover:bg-hover"
            >
              <EnvironmentDot color={it.color} />
              <span className="min-w-0 truncate">{it.name}</span>
              <EnvironmentMarks environment={it} />
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
