import { useSyncExternalStore } from 'react'

const widths = { sm: 640, md: 768, lg: 1024, xl: 1280 }
export type Width = keyof typeof widths

/** Whether the window is at least this wide (Tailwind's steps). */
export function useAtLeast(width: Width): boolean {
  const query = `(min-width: ${widths[width]}px)`
  return useSyncExternalStore(
    (listener) => {
      const media = window.matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    () => window.matchMedia(query).matches,
  )
}
