import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { confirm } from '../ui/dialog/confirm.tsx'
import { addGuard } from './follow.ts'

/** Leaving the page with something unsaved is asked about. The answer lets go of it without asking. */
export function useGuard(isDirty: boolean, text: string): () => void {
  const free = useRef(false)
  const mayLeave = () => confirm({ title: 'Leave without saving?', text, action: 'Leave', danger: true })
  useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      if (!isDirty || free.current || current.pathname === next.pathname) return false
      return !(await mayLeave())
    },
    enableBeforeUnload: () => isDirty && !free.current,
  })
  useEffect(() =>
    addGuard(async () => {
      if (!isDirty || free.current) return true
      // Asked here, so that the browser does not ask again.
      free.current = await mayLeave()
      return free.current
    }),
  )
  return () => {
    free.current = true
  }
}

/** Ctrl S saves, wherever the focus is. */
export function useSaveKey(save: () => unknown): void {
  const current = useRef(save)
  current.current = save
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      current.current()
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}
