import type { DiffLineKind } from '../../ui/diff-line.tsx'

type Line = { kind: DiffLineKind; text: string }

/** A value as it was and as it is; one that came or went has one side. */
export function twoSides(before: unknown, after: unknown): Line[] {
  const side = (kind: DiffLineKind, value: unknown): Line[] =>
    value === undefined
      ? []
      : toText(value)
          .split('\n')
          .map((text) => ({ kind, text }))
  return [...side('removed', before), ...side('added', after)]
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value
  const isPlain = Array.isArray(value) && value.every((item) => typeof item !== 'object')
  return isPlain ? value.join(', ') : JSON.stringify(value, null, 2)
}
