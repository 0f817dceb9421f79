import { useQueryClient } from '@tanstack/react-query'
import type { ListedEnvironment } from '../../../api/types.ts'
import { apiIn } from '../elsewhere.ts'
import { PlanDialog, type PlanInput } from './plan-dialog.tsx'

export type State = 'before' | 'after'

type PutBackDialogProps = { id: string; state: State; target: ListedEnvironment; onFinished(): void; onClose(): void }

/** Makes an environment again what it was before a publication, or after it. */
export function PutBackDialog({ id, state, target, onFinished, onClose }: PutBackDialogProps) {
  const queries = useQueryClient()
  const { name, slug } = target
  const run = (input: PlanInput) =>
    apiIn(slug).post('/v1/publications/{publicationId}/restore', {
      path: { publicationId: id },
      body: { state, ...input },
    })
  return (
    <PlanDialog
      title={state === 'before' ? `Put ${name} back to before it?` : `Put ${name} back to after it?`}
      action="Put it back"
      danger
      about={
        <>
          {name} becomes exactly what it was {state} this publication, all at once. What was changed there since goes,
          also by hand. Nothing is lost: this is a publication itself, and can be put back. What is under way goes on
          with the version it began with.
        </>
      }
      queryKey={[target._id, id, state]}
      run={run}
      doneTitle={`${name} is put back`}
      onDone={() =>
        Promise.all([
          queries.invalidateQueries({ queryKey: ['publications'] }),
          queries.invalidateQueries({ queryKey: ['environment-diff'] }),
        ])
      }
      onClose={onClose}
      onFinished={onFinished}
    />
  )
}
