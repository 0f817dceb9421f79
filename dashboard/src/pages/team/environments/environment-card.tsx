import type { ReactNode } from 'react'
import type { ListedEnvironment } from '../../../api/types.ts'
import { addressOf } from '../../../lib/address.ts'
import { paths } from '../../../lib/paths.ts'
import { useSession } from '../../../lib/session.ts'
import { TextLink } from '../../../ui/anchor.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/code.tsx'
import { EnvironmentDot, EnvironmentMarks } from '../../../ui/environment.tsx'
import { Time } from '../../../ui/time.tsx'
import { Protection } from './protection.tsx'
import { sourceOf } from './queries.ts'

type EnvironmentCardProps = {
  environment: ListedEnvironment
  all: readonly ListedEnvironment[]
  onEdit(): void
  onDelete(): void
}

/** One environment: what it is, its names for others, its protection, and what can be done with it. */
export function EnvironmentCard({ environment, all, onEdit, onDelete }: EnvironmentCardProps) {
  const { environment: here } = useSession()
  const isHere = environment._id === here.id
  const source = sourceOf(all, environment._id)
  return (
    <section
      aria-label={environment.name}
      className="overflow-hidden rounded-lg border border-line bg-surface shadow-card"
    >
      <header className="flex min-h-12 flex-wrap items-center gap-x-2.5 gap-y-2 border-b border-line px-4 py-2.5">
        <EnvironmentDot color={environment.color} size={12} />
        <h2 className="min-w-0 text-base break-words">{environment.name}</h2>
        <EnvironmentMarks environment={environment} />
        {isHere && <Badge tone="info">you are here</Badge>}
        {environment.isElsewhere && (
          <Badge title="It has an address and sign-in of its own">lives in another cell</Badge>
        )}
        <div className="ml-auto flex flex-wrap items-center gap-2">
          {!isHere && !environment.isElsewhere && (
            <ButtonLink size="sm" href={addressOf(environment.slug, '/')} aria-label={`Open ${environment.name}`}>
              Open
            </ButtonLink>
          )}
          <Button
            needs={isHere ? 'settings' : 'environments'}
            size="sm"
            icon="edit"
            onClick={onEdit}
            aria-label={`Edit ${environment.name}`}
          >
            Edit
          </Button>
          <Button
            needs="environments"
            size="sm"
            kind="danger"
            onClick={onDelete}
            aria-label={`Delete ${environment.name}`}
          >
            Delete
          </Button>
        </div>
      </header>
      <div className="grid gap-x-8 gap-y-4 p-4 lg:grid-cols-2">
        <dl className="grid content-start gap-x-6 sm:grid-cols-[8.5rem_minmax(0,1fr)]">
          <Fact name="Address">
            <Copied
              text={environment.slug}
              shown={`/env/${environment.slug}`}
              label={`Copy the slug ${environment.slug}`}
            />
          </Fact>
          <Fact name="Public identifier">
            <Copied text={environment.identifier} label={`Copy the identifier of ${environment.name}`} />
          </Fact>
          <Fact name="Published from">
            {source ? (
              <>
                {source.name}
                {!environment.isElsewhere && (
                  <TextLink href={addressOf(environment.slug, paths.publish)} className="ml-2">
                    What differs
                  </TextLink>
                )}
              </>
            ) : (
              <span className="text-muted">nowhere: things are made in it</span>
            )}
          </Fact>
          <Fact name="Created">
            <Time at={environment.createdAt} />
          </Fact>
        </dl>
        <Protection environment={environment} />
      </div>
    </section>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted max-sm:text-sm sm:py-1.5">{name}</dt>
      <dd className="min-w-0 py-1.5 max-sm:pt-0">{children}</dd>
    </>
  )
}

function Copied({ text, shown = text, label }: { text: string; shown?: string; label: string }) {
  return (
    <span className="-my-1.5 flex min-w-0 items-center gap-1">
      <span className="min-w-0 truncate font-mono text-sm" title={shown}>
        {shown}
      </span>
      <CopyButton text={text} label={label} />
    </span>
  )
}
