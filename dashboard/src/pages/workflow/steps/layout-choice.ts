import { type Values, without } from '../draft.ts'

/** What the list says about a step's layout: '' is the default, 'none' is none, 'id:…' names one. */
export function choiceOf({ layoutId }: Values): string {
  if (layoutId === null) return 'none'
  return typeof layoutId === 'string' ? `id:${layoutId}` : ''
}

/** The values with that choice. Of the default nothing is said: it is whichever is the default when an event comes. */
export function withChoice(values: Values, choice: string): Values {
  if (choice === '') return without(values, 'layoutId')
  return { ...values, layoutId: choice === 'none' ? null : choice.slice('id:'.length) }
}

type Layout = { layoutId: string; name: string; isDefault: boolean }

/** What can be chosen. A layout that is named and not there is shown, so that it can be seen and changed. */
export function choicesOf(layouts: readonly Layout[], values: Values): { value: string; label: string }[] {
  const standard = layouts.find(({ isDefault }) => isDefault)
  const named = layouts.map(({ layoutId, name }) => ({ value: `id:${layoutId}`, label: name }))
  const now = choiceOf(values)
  const isGone = now.startsWith('id:') && !named.some(({ value }) => value === now)
  return [
    { value: '', label: standard ? `The default: ${standard.name}` : 'The default: there is none now' },
    { value: 'none', label: 'No layout' },
    ...named,
    ...(isGone ? [{ value: now, label: `${now.slice('id:'.length)}, which is not there` }] : []),
  ]
}

/** The layout that the step's e-mail stands in now. */
export function layoutOf(layouts: readonly Layout[], values: Values): Layout | undefined {
  const choice = choiceOf(values)
  return layouts.find(({ layoutId, isDefault }) => (choice === '' ? isDefault : choice === `id:${layoutId}`))
}
