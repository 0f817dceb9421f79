import { useEffect, useRef } from 'react'

/** Calls when somebody comes back to this window from another tab or window. */
export function useReturn(onReturn: () => void): void {
  const current = useRef(onReturn)
  current.current = onReturn
  useEffect(() => {
    const back = () => document.visibilityState === 'visible' && current.current()
    window.addEventListener('focus', back)
    document.addEventListener('visibilitychange', back)
    return () => {
      window.removeEventListener('focus', back)
      document.removeEventListener('visibilitychange', back)
    }
  }, [])
}
