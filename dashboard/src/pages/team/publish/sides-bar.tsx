import type { ListedEnvironment } from '../../../api/types.ts'
import { EnvironmentDot, EnvironmentMarks } from '../../../ui/environment.tsx'
import { Field, Select } from '../../../ui/form/form.tsx'
import { Icon } from '../../../ui/icon.tsx'

type SidesBarProps = {
  all: readonly ListedEnvironment[]
  source: ListedEnvironment | undefined
  target: ListedEnvironment
  onChoose(sides: { from?: string; into?: string }): void
}

/** From where to where. With two environments there is nothing to choose. */
export function SidesBar({ all, source, target, onChoose }: SidesBarProps) {
  const canChoose = all.length > 2 || !source
  return (
    <section
      aria-label="From and into"
      className="mb-5 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-lg border border-line bg-surface px-4 py-3 shadow-card"
    >
      <Side
        label="From"
        chosen={source}
        all={canChoose ? all : []}
        not={target}
        onChoose={(from) => onChoose({ from })}
      />
      <Icon name="chevron" className="text-muted max-sm:rotate-90" />
      <Side
        label="Into"
        chosen={target}
        all={canChoose ? all : []}
        not={source}
        onChoose={(into) => onChoose({ into })}
      />
    </section>
  )
}

type SideProps = {
  label: string
  chosen: ListedEnvironment | undefined
  /** Those to choose from; none: it is only shown. */
  all: readonly ListedEnvironment[]
  not: ListedEnvironment | undefined
  onChoose(slug: string): void
}

function Side({ label, chosen, all, not, onChoose }: SideProps) {
  const others = all.filter(({ _id }) => _id !== not?._id)
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-2.5">
      <span className="w-9 text-muted">{label}</span>
      {chosen && <EnvironmentDot color={chosen.color} size={12} />}
      {others.length > 0 ? (
        <Field label={label} hideLabel className="w-44">
          <Select
            value={chosen?.slug ?? ''}
            onText={onChoose}
            options={[
              ...(chosen ? [] : [{ value: '', label: 'Choose one', disabled: true }]),
              ...others.map(({ slug, name }) => ({ value: slug, label: name })),
            ]}
          />
        </Field>
      ) : (
        <span className="min-w-0 truncate font-semibold">{chosen?.name}</span>
      )}
      {chosen && <EnvironmentMarks environment={chosen} />}
    </div>
  )
}
