import type { EditorState } from '@tiptap/pm/state'
import type { Variable } from '../../ui/form/completion.ts'
import { attrsOf, textOf } from '../schema/stored.ts'
import { pathAt } from './places.ts'

/** The names at a place: inside a repeat the item of its list first, then all others. */
export function variablesAt(state: EditorState, variables: readonly Variable[]): Variable[] {
  return variablesInside(eachAround(state), variables)
}

/** The lists of the repeats around the selection, from the outside to the inside. */
export function eachAround(state: EditorState): string[] {
  const repeats = pathAt(state).filter(({ node }) => node.type.name === 'repeat')
  return repeats.map(({ node }) => textOf(attrsOf(node).each).trim())
}

export function variablesInside(repeats: readonly string[], variables: readonly Variable[]): Variable[] {
  if (repeats.length === 0) return [...variables]
  let known: readonly Variable[] = variables
  for (const each of repeats)
    known = asItem(findList(each, known)?.items ?? [{ name: '', about: 'the item' }], variables)
  return [...known]
}

/** As the innermost repeat calls them. */
function asItem(items: readonly Variable[], all: readonly Variable[]): Variable[] {
  const named = items.map(({ name, about, ...rest }) => ({
    name: name ? `current.${name}` : 'current',
    about: name ? 'of the item' : about,
    ...rest,
  }))
  return [...named, ...all]
}

/** By the names that src/core/blocks/expressions.ts takes for it. */
function findList(each: string, variables: readonly Variable[]): Variable | undefined {
  const path = each.split('|')[0]?.trim() ?? ''
  const name = /^steps\.[^.]+\.events$/.test(path) ? 'step.events' : path
  return variables.find((one) => one.name === name) ?? variables.find((one) => one.name === `payload.${name}`)
}

/** Lists that a repeat can go through here. */
export const listsAmong = (variables: readonly Variable[]) => variables.filter(({ type }) => type === 'array')

/** What fits what was typed, best first. What was typed itself comes last: a name need not be known. */
export function findVariables(variables: readonly Variable[], query: string, most = 8): Variable[] {
  const wanted = query.toLowerCase()
  const rank = ({ name }: Variable) => {
    const lower = name.toLowerCase()
    if (lower.startsWith(wanted)) return 0
    return lower.split('.').some((word) => word.startsWith(wanted)) ? 1 : lower.includes(wanted) ? 2 : 3
  }
  const found = variables.filter((one) => rank(one) < 3).toSorted((a, b) => rank(a) - rank(b))
  const isKnown = query === '' || found.some(({ name }) => name === query)
  const typed = isKnown || !/^[\p{L}_][\p{L}\p{N}_.-]*$/u.test(query) ? [] : [{ name: query, about: 'as typed' }]
  return [...found.slice(0, most), ...typed]
}
