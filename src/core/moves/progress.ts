/** What whoever watches is told. `part`: how much of the step is done, from 0 to 1. */
export type Progress = {
  step(name: StepName, text: string): Promise<void>
  part(part: number, text: string): void
}

/** In their order; a mover that is killed after any of them goes on where it was. */
export const stepNames = [
  'checked',
  'cleared',
  'arriving',
  'published',
  'subscribed',
  'copied',
  'verified',
  'draining',
  'drained',
  'frozen',
  'caught up',
  'ready',
  'departed',
  'active',
  'placed',
  'dropped',
  'defused',
  'compared',
] as const
export type StepName = (typeof stepNames)[number]

const width = 24

export function progressBar(part: number, text: string): string {
  const share = Math.min(1, Math.max(0, part))
  const filled = Math.round(share * width)
  return `[${'#'.repeat(filled)}${'-'.repeat(width - filled)}] ${String(Math.floor(share * 100)).padStart(3)} %  ${text}`
}

export function toSize(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} KB` : `${Math.ceil(bytes / 1024 ** 2)} MB`
}
