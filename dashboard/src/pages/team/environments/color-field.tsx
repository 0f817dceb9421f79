import { useId } from 'react'
import { Icon } from '../../../ui/icon.tsx'
import { colors } from './colors.ts'

type ColorFieldProps = { value: string; onChange(color: string): void; error: string | undefined }

/** One of some, or any other. Radio buttons: arrows walk through them. */
export function ColorField({ value, onChange, error }: ColorFieldProps) {
  const id = useId()
  const isOther = !colors.some((one) => one.value === value.toLowerCase())
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">Colour</legend>
      <div className="flex flex-wrap items-center gap-1.5">
        {colors.map((one) => (
          <label
            key={one.value}
            title={one.name}
            style={{ backgroundColor: one.value }}
            className="flex size-7 cursor-pointer items-center justify-center rounded-full text-white has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name={`${id}-color`}
              aria-label={one.name}
              className="sr-only"
              checked={one.value === value.toLowerCase()}
              onChange={() => onChange(one.value)}
            />
            {one.value === value.toLowerCase() && <Icon name="check" />}
          </label>
        ))}
        <label
          className={`flex h-8 items-center gap-2 rounded-md border px-2 text-sm ${isOther ? 'border-accent' : 'border-line-strong'}`}
        >
          <input
            type="color"
            aria-label="Another colour"
            value={value}
            onChange={(event) => onChange(event.target.value)}
            className="size-5 cursor-pointer rounded border-0 bg-transparent p-0"
          />
          <span className="font-mono text-xs text-muted">{value}</span>
        </label>
      </div>
      {error && <p className="text-sm text-bad">{error}</p>}
    </fieldset>
  )
}
