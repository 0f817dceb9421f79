import { availableParallelism, loadavg } from 'node:os'

// Somebody else's long compilation must not make a run endless.
const mostPatience = 4

/**
 * How long to wait for what takes `ms` on an idle machine. Where others are at work rows take longer, and are not red
 * for that.
 */
export function patient(ms: number): number {
  const crowd = (loadavg()[0] ?? 0) / availableParallelism()
  return ms * Math.min(mostPatience, Math.max(1, crowd))
}
