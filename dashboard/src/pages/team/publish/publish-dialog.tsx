import { api } from '../../../api/client.ts'
import { paths } from '../../../lib/paths.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import type { Resources } from './choice.ts'
import { PlanDialog, type PlanInput } from './plan-dialog.tsx'
import type { Sides } from './sides.ts'

type PublishDialogProps = Sides & {
  resources: Resources
  fingerprint: string
  onDone(): Promise<unknown>
  onClose(): void
}

export function PublishDialog({ source, target, resources, fingerprint, onDone, onClose }: PublishDialogProps) {
  const run = (input: PlanInput) =>
    api.post('/v2/environments/{targetEnvironmentId}/publish', {
      path: { targetEnvironmentId: target._id },
      body: { sourceEnvironmentId: source._id, resources, ...input },
    })
  return (
    <PlanDialog
      title={`Publish to ${target.name}?`}
      action={`Publish to ${target.name}`}
      about={
        <>
          All of it is there at once. What is under way goes on with the version it began with. Workflows that are
          switched off in {target.name} stay off, and integrations and what people chose are not touched. You can put it
          back.
        </>
      }
      fingerprint={fingerprint}
      queryKey={[target._id, fingerprint, resources ?? 'all']}
      run={run}
      doneTitle={`Published to ${target.name}`}
      doneLink={(id) => <ButtonLink href={paths.publication(target.slug, id)}>See it in the history</ButtonLink>}
      onDone={onDone}
      onClose={onClose}
    />
  )
}
