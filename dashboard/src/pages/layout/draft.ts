import type { ApiFault } from '../../api/fault.ts'
import type { Layout } from '../../api/types.ts'

/** What of a layout is written on its page, and saved together. */
export type LayoutDraft = { name: string; body: string; editorType: 'html' | 'block' }

export function toDraft({ name, controls }: Pick<Layout, 'name' | 'controls'>): LayoutDraft {
  const { body, editorType } = controls.values.email
  return { name, body, editorType }
}

/** What PUT takes. Whether it is the default is left out: that is switched by itself, perhaps meanwhile. */
export function toInput({ name, body, editorType }: LayoutDraft) {
  return { name: name.trim(), controlValues: { email: { body, editorType } } }
}

export const isSame = (a: LayoutDraft, b: LayoutDraft) => JSON.stringify(toInput(a)) === JSON.stringify(toInput(b))

const place = 'controlValues.email.'

/** By field of the draft: what a save or a preview found. */
export function faultsOf(fault: ApiFault | null): Record<string, string> {
  const found = Object.entries(fault?.errors ?? {})
  return Object.fromEntries(found.map(([path, { messages }]) => [fieldOf(path), messages.join(' ')]))
}

export function fieldOf(path: string): string {
  return path.startsWith(place) ? path.slice(place.length) : path
}
