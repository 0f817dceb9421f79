import { LRUCache } from 'lru-cache'
import { type Subject, subjectOfEnvironment } from './find-subject.ts'

/** Where an environment lives. Each move has a higher generation than the one before, and the highest counts. */
export type Place = { cell: string; generation: number }
type Known = Place & { environmentId: string | null }

export type Places = {
  /** Null: nothing is known, and the text names no cell. */
  find(subject: Subject): Place | null
  /** By this it is held and counted; null: nobody's. */
  holderOf(subject: Subject): string | null
  environmentOf(subject: Subject): string | null
  /** The cell answered for the subject. `environmentId` if it said so. */
  learn(subject: Subject, place: Place, environmentId: string | null): void
  /** One of the exceptions: an environment that was moved. True if it is news. */
  move(environmentId: string, place: Place): boolean
  exceptions: ReadonlyMap<string, Place>
}

// About 30 MB when full.
const mostRemembered = 100_000

/**
 * Two memories. Exceptions are the environments that were moved: few, complete, kept on disk. The other is a help: whose a
 * key, a link or an identifier is, as cells told us. What it lacks costs a question or a hop.
 */
export function createPlaces(): Places {
  const exceptions = new Map<string, Place>()
  const known = new LRUCache<string, Known>({ max: mostRemembered })
  const ofName = (name: string | null) => (name === null ? undefined : known.get(name))
  const environmentOf = ({ name, environmentId }: Subject) => environmentId ?? ofName(name)?.environmentId ?? null

  const move = (environmentId: string, place: Place): boolean => {
    if ((exceptions.get(environmentId)?.generation ?? 0) >= place.generation) return false
    exceptions.set(environmentId, place)
    return true
  }

  const remember = (name: string, next: Known) => {
    const former = known.get(name)
    const isSame = former?.cell === next.cell && former.environmentId === next.environmentId
    if (former && (former.generation > next.generation || (isSame && former.generation === next.generation))) return
    known.set(name, next)
  }

  return {
    exceptions,
    move,
    find(subject) {
      const environmentId = environmentOf(subject)
      const told = ofName(subject.name)
      const moved = environmentId === null ? undefined : exceptions.get(environmentId)
      const said = subject.cell === null ? undefined : { cell: subject.cell, generation: 0 }
      // The first of equals.
      return [moved, told, said].reduce<Place | null>(
        (best, place) => (place && (!best || place.generation > best.generation) ? place : best),
        null,
      )
    },
    environmentOf,
    holderOf: (subject) => environmentOf(subject) ?? subject.name,
    learn(subject, place, environmentId) {
      if (subject.name === null) return
      const id = environmentId ?? environmentOf(subject)
      remember(subject.name, { ...place, environmentId: id })
      // So that tokens of the same environment need no question.
      if (id !== null) remember(subjectOfEnvironment(id).name ?? '', { ...place, environmentId: id })
    },
  }
}
