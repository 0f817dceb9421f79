import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { Icon } from '../../../ui/icon.tsx'
import type { StepType, Values } from '../draft.ts'
import { channelKinds, waitKinds } from './step-types.ts'

type Start = { type: StepType; name: string; controlValues: Values }
type AddStepProps = { onAdd(start: Start): void; onClose(): void }

export function AddStep({ onAdd, onClose }: AddStepProps) {
  return (
    <Dialog open onClose={onClose} title="Add a step" footer={<Button onClick={onClose}>Cancel</Button>}>
      <div className="flex flex-col gap-5">
        <Kinds title="Tell somebody" kinds={channelKinds} onAdd={onAdd} />
        <Kinds title="Wait" kinds={waitKinds} onAdd={onAdd} />
      </div>
    </Dialog>
  )
}

type KindsProps = { title: string; kinds: typeof channelKinds; onAdd(start: Start): void }

function Kinds({ title, kinds, onAdd }: KindsProps) {
  return (
    <section>
      <h3 className="mb-2 text-sm text-muted">{title}</h3>
      <div className="grid gap-2 sm:grid-cols-2">
        {kinds.map(({ type, name, icon, about, start }) => (
          <button
            key={type}
            type="button"
            onClick={() => onAdd({ type, name, controlValues: start })}
            className="flex items-start gap-3 rounded-md border border-line p-3 text-left transition-colors hover:border-line-strong hover:bg-hover"
          >
            <Icon name={icon} className="mt-0.5 text-muted" />
            <span className="min-w-0">
              <span className="block font-medium">{name}</span>
              <span className="block text-sm text-muted">{about}</span>
            </span>
          </button>
        ))}
      </div>
    </section>
  )
}
