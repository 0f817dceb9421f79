import { useEffect, useState } from 'react'

/** The text as it was when the typing paused: one request for each pause, not for each stroke. */
export function usePause(text: string, ms = 250): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), ms)
    return () => clearTimeout(timer)
  }, [text, ms])
  return settled
}
