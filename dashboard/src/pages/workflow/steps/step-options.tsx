import { Field, Input, Select, Switch } from '../../../ui/form/form.tsx'
import { isUnsaved, type Step, without } from '../draft.ts'

type StepOptionsProps = {
  part: 'when' | 'rest'
  step: Step
  earlier: readonly Step[]
  onChange(step: Step): void
  onRename(stepId: string): void
  faults: Readonly<Record<string, string>>
}

/** What a step has besides its content. */
export function StepOptions({ part, ...props }: StepOptionsProps) {
  return part === 'when' ? <WhenFields {...props} /> : <Rest {...props} />
}

type When = NonNullable<Step['when']>
const words: readonly { value: When['is']; label: string }[] = [
  { value: 'unread', label: 'is not read' },
  { value: 'unseen', label: 'is not seen' },
  { value: 'read', label: 'is read' },
  { value: 'seen', label: 'is seen' },
  { value: 'sent', label: 'was sent' },
  { value: 'failed', label: 'failed' },
]

/** `when`: what became of an earlier step. */
function WhenFields({ step, earlier, onChange, faults }: Omit<StepOptionsProps, 'part'>) {
  const { when } = step
  const named = earlier.some(({ stepId }) => stepId === when?.stepId)
  const lost = when && !named ? [{ value: when.stepId, label: `${when.stepId} (not before this step)` }] : []
  const choose = (stepId: string) =>
    onChange(stepId ? { ...step, when: { is: when?.is ?? 'unread', stepId } } : without(step, 'when'))
  return (
    <section className="flex flex-col gap-3">
      <h3>By what became of an earlier step</h3>
      {earlier.length === 0 && !when ? (
        <p className="text-muted">This is the first step: there is none before it.</p>
      ) : (
        <div className="grid gap-3 sm:grid-cols-2">
          <Field label="Only if the step" error={when && !named ? 'Must be an earlier step.' : faults['when.stepId']}>
            <Select
              options={[
                { value: '', label: 'any outcome' },
                ...lost,
                ...earlier.map(({ stepId, name }) => ({ value: stepId, label: name })),
              ]}
              value={when?.stepId ?? ''}
              onText={choose}
            />
          </Field>
          {when && (
            <Field label="Outcome">
              <Select
                options={words}
                value={when.is}
                onText={(value) =>
                  onChange({
                    ...step,
                    when: { ...when, is: words.find((one) => one.value === value)?.value ?? when.is },
                  })
                }
              />
            </Field>
          )}
        </div>
      )}
      {when && <p className="text-sm text-muted">It waits until that is known, and is skipped otherwise.</p>}
    </section>
  )
}

function Rest({ step, onChange, onRename, faults }: Omit<StepOptionsProps, 'part'>) {
  return (
    <div className="flex flex-col gap-5">
      <Switch
        label="Active"
        hint="A step that is off is skipped for everybody."
        checked={step.active}
        onChange={(active) => onChange({ ...step, active })}
      />
      <Switch
        label="Stop if it fails"
        hint="What comes after it waits for its outcome, and is canceled when it fails."
        checked={step.shouldStopOnFail}
        onChange={(shouldStopOnFail) => onChange({ ...step, shouldStopOnFail })}
      />
      <Field
        label="Step id"
        hint={isUnsaved(step) ? 'Cannot be changed once the step is saved.' : 'Stays for as long as the step does.'}
        error={faults.stepId}
      >
        <Input className="font-mono text-sm" value={step.stepId} disabled={!isUnsaved(step)} onText={onRename} />
      </Field>
      <ReplyCallback step={step} onChange={onChange} />
    </div>
  )
}

function ReplyCallback({ step, onChange }: { step: Step; onChange(step: Step): void }) {
  const { replyCallback: callback } = step
  const set = (next: NonNullable<Step['replyCallback']>) => onChange({ ...step, replyCallback: next })
  return (
    <section className="flex flex-col gap-3">
      <h3>Reply callback</h3>
      <p className="text-sm text-muted">Kept for clients that read it. Nothing calls it.</p>
      <Field label="URL">
        <Input
          placeholder="https://…"
          value={callback?.url ?? ''}
          onText={(url) => {
            if (url) set({ ...callback, url })
            else if (callback?.active !== undefined) set(without(callback, 'url'))
            else onChange(without(step, 'replyCallback'))
          }}
        />
      </Field>
      {callback && (
        <Switch
          label="Reply callback is active"
          checked={callback.active ?? false}
          onChange={(active) => set({ ...callback, active })}
        />
      )}
    </section>
  )
}
