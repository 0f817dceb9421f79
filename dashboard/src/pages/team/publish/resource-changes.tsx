import { useMemo } from 'react'
import type { ResourceDiff } from '../../../api/types.ts'
import { DiffView } from '../../../ui/diff-view.tsx'
import { shownChanges } from './lines.ts'

type Sides = { source?: { name: string }; target: { name: string } }

/** Line by line; what is new or gone as a whole is said in one sentence. */
export function ResourceChanges({ resource, sides }: { resource: ResourceDiff; sides: Sides }) {
  const changes = useMemo(() => shownChanges(resource), [resource])
  return (
    <>
      {changes.length > 0 ? (
        <DiffView changes={changes} />
      ) : (
        <p className="text-muted">{wholeWords(resource, sides)}</p>
      )}
      {resource.isShortened && changes.length > 0 && (
        <p className="mt-2 text-sm text-muted">There are more changes than are shown here.</p>
      )}
    </>
  )
}

function wholeWords({ action, onlyIfChosen, isShortened }: ResourceDiff, { source, target }: Sides): string {
  if (isShortened) return 'It differs. There is too much that differs to show all of it here: choose fewer.'
  if (action === 'added') return `All of it is new in ${target.name}.`
  if (onlyIfChosen) return `It is only in ${target.name}, and was made there. Chosen, it is removed there.`
  if (action === 'deleted')
    return source ? `It is gone from ${source.name}, and goes from ${target.name}.` : 'It was removed.'
  return 'It differs.'
}
