/** The most urgent first. Each lane has workers that never take from a lower one. */
export const lanes = { critical: 30, transactional: 20, bulk: 10 } as const
export type Lane = keyof typeof lanes

export function laneOfPriority(priority: number | null): Lane {
  if (priority === lanes.critical) return 'critical'
  return priority === lanes.transactional ? 'transactional' : 'bulk'
}
