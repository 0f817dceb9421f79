import { useEffect, useState } from 'react'
import type { ApiFault } from '../api/fault.ts'

/** Seconds until the next try is taken, where the last one was refused for being one too many; else 0. */
export function useCountdown(fault: ApiFault | null): number {
  const [left, setLeft] = useState(0)
  useEffect(() => {
    const seconds = fault?.status === 429 ? (fault.retryAfterSeconds ?? 1) : 0
    const until = performance.now() + seconds * 1000
    const show = () => setLeft(Math.max(0, Math.ceil((until - performance.now()) / 1000)))
    show()
    if (seconds === 0) return
    const timer = setInterval(show, 250)
    return () => clearInterval(timer)
  }, [fault])
  return left
}
