import type { ReactNode } from 'react'
import type { ChangeRecord, ListedEnvironment } from '../../../api/types.ts'
import { addressOf } from '../../../lib/address.ts'
import { paths } from '../../../lib/paths.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Facts } from '../../../ui/card.tsx'
import { Mono } from '../../../ui/code.tsx'
import { Drawer } from '../../../ui/dialog/dialog.tsx'
import { FieldDiff } from '../../../ui/diff-view.tsx'
import { Time } from '../../../ui/time.tsx'
import { actorWords } from '../actor.ts'
import { twoSides } from '../two-sides.ts'
import { Place } from './columns.tsx'
import type { ChangeFilters } from './filter.ts'
import { sentenceOf } from './words.ts'

type ChangeDrawerProps = {
  change: ChangeRecord
  environments: readonly ListedEnvironment[]
  onFilter: ChangeFilters
  onClose(): void
}

/** One change: all that is known of who made it, and each field before and after. */
export function ChangeDrawer({ change, environments, onFilter, onClose }: ChangeDrawerProps) {
  const { subject, changes, actor } = change
  const { did, what } = sentenceOf(change)
  const place = environments.find(({ _id }) => _id === change.environmentId)
  const page = pageOf(change)
  return (
    <Drawer
      open
      title={`${actor.name} ${did} ${what}`}
      onClose={onClose}
      footer={
        <>
          {place && page && <ButtonLink href={addressOf(place.slug, page)}>Open it</ButtonLink>}
          <Button onClick={() => onFilter({ who: actor.id })}>All by {actor.name}</Button>
          <Button onClick={() => onFilter({ subjectType: subject.type, subjectId: subject.id })}>
            All changes of it
          </Button>
        </>
      }
    >
      <Facts items={factsOf(change, place)} />
      {changes.length > 0 && (
        <section aria-label="Before and after" className="mt-5 overflow-hidden rounded-md border border-line">
          {changes.map(({ path, before, after }) => (
            <FieldDiff key={path} path={path} lines={twoSides(before, after)} />
          ))}
        </section>
      )}
    </Drawer>
  )
}

function factsOf(change: ChangeRecord, place: ListedEnvironment | undefined): [string, ReactNode][] {
  const { actor, subject, action, createdAt, address, agent, requestId, environmentId } = change
  const mono = (text: string) => <Mono key={text}>{text}</Mono>
  return [
    ['Who', `${actor.name} (${actorWords[actor.type]})`],
    ['When', <Time key="when" at={createdAt} full />],
    ['In', <Place key="where" environment={place} id={environmentId} />],
    ['Action', mono(action)],
    ['Id', mono(subject.id)],
    ...(address ? [['From', address] as [string, ReactNode]] : []),
    ...(agent ? [['By', agent] as [string, ReactNode]] : []),
    ...(requestId ? [['Request', mono(requestId)] as [string, ReactNode]] : []),
  ]
}

/** Where it can be looked at, if it has a page. */
function pageOf({ subject: { type, id }, action }: ChangeRecord): string | null {
  if (action.endsWith('.delete')) return null
  switch (type) {
    case 'workflow':
      return paths.workflow(id)
    case 'layout':
      return paths.layout(id)
    case 'integration':
      return paths.integration(id)
    case 'webhook-endpoint':
      return paths.webhook(id)
    case 'publication':
      return `${paths.publish}?view=history&publication=${encodeURIComponent(id)}`
    default:
      return null
  }
}
