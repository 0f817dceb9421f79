/** The most urgent first. Each lane has workers that never take from a lower one. */
export const lanes = { critical: 30, transactional: 20, bulk: 10 } as const
export type Lane = keyof typeof lanes

export function laneOfPriority(priority: number | null): Lane {
  if (priority === lanes.critical) return 'critical'
  return priority === lanes.transactional ? 'transactional' : 'bulk'
}

/** This lane and those that are less urgent: their workers may take its tasks. */
export function lanesFrom(lane: Lane): Lane[] {
  return (Object.keys(lanes) as Lane[]).filter((it) => lanes[it] <= lanes[lane])
}
