import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

/** Asks for a list again every so often, as long as the window is looked at. */
export function useAskAgain(queryKey: readonly unknown[], everyMs: number): void {
  const queries = useQueryClient()
  const key = JSON.stringify(queryKey)
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void queries.invalidateQueries({ queryKey: JSON.parse(key) })
    }, everyMs)
    return () => clearInterval(timer)
  }, [queries, key, everyMs])
}
