import type { LargeSends } from '../../api/types.ts'

/** As text while it is written; numbers when it is saved. */
export type SafetyDraft = {
  hasCanary: boolean
  canaryFrom: string
  canaryPercent: string
  canaryAtLeast: string
  goesOn: LargeSends['goesOn']
  goesOnAfterMinutes: string
  hasGuard: boolean
  guardFrom: string
  failuresPercent: string
  complaintsPercent: string
  slowOnJumps: boolean
}

/** What a switch that is turned on begins with. */
const usualFrom = 10_000

export function draftOf(given: LargeSends): SafetyDraft {
  return {
    hasCanary: given.canaryFrom !== null,
    canaryFrom: String(given.canaryFrom ?? usualFrom),
    canaryPercent: String(given.canaryPercent),
    canaryAtLeast: String(given.canaryAtLeast),
    goesOn: given.goesOn,
    goesOnAfterMinutes: String(given.goesOnAfterSeconds / 60),
    hasGuard: given.guardFrom !== null,
    guardFrom: String(given.guardFrom ?? usualFrom),
    failuresPercent: String(given.failuresPercent),
    complaintsPercent: String(given.complaintsPercent),
    slowOnJumps: given.slowOnJumps,
  }
}

export function settingsOf(draft: SafetyDraft): LargeSends {
  return {
    canaryFrom: draft.hasCanary ? Number(draft.canaryFrom) : null,
    canaryPercent: Number(draft.canaryPercent),
    canaryAtLeast: Number(draft.canaryAtLeast),
    goesOn: draft.goesOn,
    goesOnAfterSeconds: Math.round(Number(draft.goesOnAfterMinutes) * 60),
    guardFrom: draft.hasGuard ? Number(draft.guardFrom) : null,
    failuresPercent: Number(draft.failuresPercent),
    complaintsPercent: Number(draft.complaintsPercent),
    slowOnJumps: draft.slowOnJumps,
  }
}

/** Whether all of it is numbers; what range they have is the server's to say. */
export function isWhole(draft: SafetyDraft): boolean {
  const texts = [draft.canaryPercent, draft.canaryAtLeast, draft.failuresPercent, draft.complaintsPercent]
  const also = [
    ...(draft.hasCanary ? [draft.canaryFrom] : []),
    ...(draft.hasGuard ? [draft.guardFrom] : []),
    ...(draft.goesOn === 'time' ? [draft.goesOnAfterMinutes] : []),
  ]
  return [...texts, ...also].every((text) => text.trim() !== '' && Number.isFinite(Number(text)))
}
