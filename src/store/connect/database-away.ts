/** There is no database that takes writes now. */
export class DatabaseAway extends Error {}

/** A COMMIT was sent, and whether it is kept is not known: another try may be a second time. */
export class OutcomeUnknown extends Error {}
