import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { toFault } from '../../../api/fault.ts'
import type { ResourceDiff } from '../../../api/types.ts'
import { whyNot } from '../../../lib/may.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Empty, FaultNote } from '../../../ui/empty.tsx'
import { Checkbox } from '../../../ui/form/form.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { SkeletonLines } from '../../../ui/spinner.tsx'
import { useSessionIn } from '../elsewhere.ts'
import { nameOf, useChoice } from './choice.ts'
import { ChosenBar } from './chosen-bar.tsx'
import { PublishDialog } from './publish-dialog.tsx'
import { ResourceItem } from './resource-item.tsx'
import type { Sides } from './sides.ts'
import { kinds } from './words.ts'

// More than these are opened one by one.
const fewAtMost = 4

/** All that differs, line by line; what of it is chosen is published together. */
export function Changes(sides: Sides) {
  const { source, target } = sides
  const queries = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['environment-diff', source._id, target._id],
    queryFn: ({ signal }) =>
      api.post('/v2/environments/{targetEnvironmentId}/diff', {
        path: { targetEnvironmentId: target._id },
        body: { sourceEnvironmentId: source._id },
        signal,
      }),
  })
  const all = data?.resources ?? []
  const { chosen, along, resources, set } = useChoice(all)
  const session = useSessionIn(target.slug)
  const mayPublish = session?.permissions.includes('publish') ?? false
  if (error) return <FaultNote fault={toFault(error)} onRetry={() => void refetch()} />
  if (!data) return <SkeletonLines lines={8} />
  const again = (
    <Button icon="refresh" className="max-sm:hidden" busy={isFetching} onClick={() => void refetch()}>
      Compare again
    </Button>
  )
  return (
    <>
      {session && !mayPublish && (
        <Notice label="What you may do there">
          <strong className="font-semibold">You can look, and not publish.</strong> {whyNot('publish', session)}
        </Notice>
      )}
      {all.length === 0 ? (
        <Card>
          <Empty icon="check" title="Nothing differs" action={again}>
            {target.name} has all workflows, layouts and languages of {source.name}, as they are there.
          </Empty>
        </Card>
      ) : (
        <div className="flex flex-col gap-4">
          {kinds.map(({ kind, many }) => {
            const own = all.filter((it) => it.kind === kind)
            const groupOf = { own, many, sides, chosen, along, isOpen: all.length <= fewAtMost }
            return own.length > 0 && <Group key={kind} {...groupOf} {...(mayPublish && { onSet: set })} />
          })}
        </div>
      )}
      {all.length > 0 && (
        <ChosenBar all={all} chosen={chosen} along={along} again={again}>
          {mayPublish && (
            <Button kind="primary" icon="upload" disabled={chosen.size === 0} onClick={() => setOpen(true)}>
              Publish to {target.name}
            </Button>
          )}
        </ChosenBar>
      )}
      {isOpen && (
        <PublishDialog
          {...sides}
          resources={resources}
          fingerprint={data.fingerprint}
          onDone={() => queries.invalidateQueries({ queryKey: ['publications'] })}
          onClose={() => {
            setOpen(false)
            // Also if it was refused because somebody was quicker.
            void refetch()
          }}
        />
      )}
    </>
  )
}

type GroupProps = {
  own: readonly ResourceDiff[]
  many: string
  sides: Sides
  chosen: ReadonlySet<string>
  along: ReadonlySet<string>
  isOpen: boolean
  /** Absent: there is nothing to choose. */
  onSet?(these: readonly ResourceDiff[], isChosen: boolean): void
}

function Group({ own, many, sides, chosen, along, isOpen, onSet }: GroupProps) {
  const picked = own.filter((it) => chosen.has(nameOf(it))).length
  return (
    <Card
      flush
      title={`${many} (${own.length})`}
      actions={
        onSet &&
        own.length > 1 && (
          <Checkbox
            label={`All ${many.toLowerCase()}`}
            checked={picked === own.length}
            partly={picked > 0 && picked < own.length}
            onChange={({ target }) => onSet(own, target.checked)}
          />
        )
      }
    >
      <ul>
        {own.map((it) => (
          <ResourceItem
            key={nameOf(it)}
            resource={it}
            sides={sides}
            isOpenFirst={isOpen}
            choice={{ isChosen: chosen.has(nameOf(it)), goesAlong: along.has(nameOf(it)) }}
            {...(onSet && { onChoose: (isChosen: boolean) => onSet([it], isChosen) })}
          />
        ))}
      </ul>
    </Card>
  )
}
