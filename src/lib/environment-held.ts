/** Draining and frozen are leases: one that has run out counts as active (see migration 0035). */
export type StateName = 'active' | 'arriving' | 'draining' | 'frozen' | 'departed'

export type HeldEnvironment = {
  state: Exclude<StateName, 'active'>
  /** Where it lives: of a departed one, and of an arriving one until it is active here. */
  cell: string | null
  /** Grows by one with each move: of two that name a cell, the higher one is right. */
  generation: number
}

/** An environment is being moved, or was: nothing of it is read or written here now. No fault of whoever asked. */
export class EnvironmentHeld extends Error {
  readonly held: HeldEnvironment

  constructor(environmentId: string, held: HeldEnvironment) {
    super(`environment ${environmentId} is ${held.state}`)
    this.held = held
  }
}
