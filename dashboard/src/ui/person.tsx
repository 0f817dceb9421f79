import { Mono } from './code.tsx'

type Named = { subscriberId: string; firstName?: string | null; lastName?: string | null }

/** What somebody is called: the name, else the id. */
export function personName({ subscriberId, firstName, lastName }: Named): string {
  return [firstName, lastName].filter(Boolean).join(' ').trim() || subscriberId
}

function lettersOf(name: string): string {
  const words = name.split(/[\s._@-]+/).filter(Boolean)
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? '')][0] ?? '')
  return letters.join('').toUpperCase() || '?'
}

/** Letters, not the picture: an avatar's address is somewhere else, and no request leaves this origin. */
export function Initials({ name }: { name: string }) {
  return (
    <span
      aria-hidden="true"
      className="inline-flex size-7 shrink-0 items-center justify-center rounded-full bg-neutral-soft font-medium text-muted text-xs"
    >
      {lettersOf(name)}
    </span>
  )
}

/** Letters, name and id, for the first column of a list of people (rows of 52 px). */
export function PersonCell({ person }: { person: Named }) {
  const name = personName(person)
  return (
    <span className="flex min-w-0 items-center gap-3">
      <Initials name={name} />
      <span className="min-w-0">
        <span className="block truncate font-medium">{name}</span>
        {name !== person.subscriberId && (
          <span className="block truncate text-xs text-muted">
            <Mono>{person.subscriberId}</Mono>
          </span>
        )}
      </span>
    </span>
  )
}
