import { type KeyboardEvent, type MouseEvent, useEffect, useId, useState } from 'react'
import { type Place, walk } from './listbox-keys.ts'

type ListboxOptions<Item> = {
  /** What the list is called for screen readers. */
  label: string
  items: readonly Item[]
  /** Whether suggestions are wanted now. They show when there are some. */
  open: boolean
  /** The first one is active from the start, and Enter takes it. */
  firstActive?: boolean
  /** The one under the pointer becomes the active one. */
  followsPointer?: boolean
  /** Undefined: Enter was pressed while none was active. */
  onChoose(item: Item | undefined): void
  /** Keys that choose, besides Enter. */
  chooseKeys?: readonly string[]
  /** An arrow was pressed while it was closed. */
  onOpen?(): void
  /** Escape was pressed while it was open. Without this the key is somebody else's. */
  onClose?(): void
}

/**
 * Suggestions under a text field: the focus stays in the field, and keys walk through the list. Gives the attributes of
 * the field, of the list and of each option; how they look is the caller's.
 */
export function useListbox<Item>(options: ListboxOptions<Item>) {
  const { label, items, open, firstActive = false, followsPointer = false, onChoose } = options
  const id = useId()
  const start: Place = { active: firstActive ? 0 : -1, walked: false }
  const [place, setPlace] = useState(start)
  const isShown = open && items.length > 0
  const active = isShown && place.active < items.length ? place.active : -1
  useFollow(`${id}-${active}`, isShown && place.walked)
  const onKeyDown = (event: KeyboardEvent) => {
    if (act(options, place, event.key, setPlace)) event.preventDefault()
  }
  const field = {
    onKeyDown,
    'aria-autocomplete': 'list' as const,
    ...(active >= 0 && { 'aria-activedescendant': `${id}-${active}` }),
  }
  return {
    active,
    isShown,
    /** Back to the start: other text was typed. */
    reset: () => setPlace(start),
    /** For a field of one line. */
    combobox: { role: 'combobox', 'aria-expanded': isShown, 'aria-controls': `${id}-list`, ...field },
    /** For a field that is more than its suggestions: it stays a text box. */
    textbox: { ...field, ...(isShown && { 'aria-controls': `${id}-list` }) },
    list: { id: `${id}-list`, role: 'listbox', 'aria-label': label },
    option: (index: number) => ({
      id: `${id}-${index}`,
      role: 'option',
      'aria-selected': index === active,
      // Before the field loses the focus, and with it the list.
      onMouseDown: (event: MouseEvent) => {
        event.preventDefault()
        onChoose(items[index])
      },
      ...(followsPointer && { onMouseMove: () => setPlace({ active: index, walked: false }) }),
    }),
  }
}

export type Listbox = ReturnType<typeof useListbox>

/** Whether the key was one of the list's. */
function act<Item>(options: ListboxOptions<Item>, place: Place, key: string, go: (place: Place) => void): boolean {
  const { items, open, onChoose, chooseKeys = [], onOpen, onClose } = options
  if (!open) {
    if (!onOpen || !key.startsWith('Arrow') || !walk(place, key, 0)) return false
    onOpen()
    return true
  }
  const next = walk(place, key, items.length)
  if (next) go(next)
  else if (key === 'Enter' || chooseKeys.includes(key)) onChoose(items[place.active])
  else if (key === 'Escape' && onClose) onClose()
  else return false
  return true
}

/** A list may be longer than its box. */
function useFollow(optionId: string, isWalked: boolean): void {
  useEffect(() => {
    if (isWalked) document.getElementById(optionId)?.scrollIntoView({ block: 'nearest' })
  }, [optionId, isWalked])
}
