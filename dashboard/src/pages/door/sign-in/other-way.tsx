import { useSearch } from '@tanstack/react-router'
import { toSearch } from '../../../lib/to-search.ts'
import { ButtonLink } from '../../../ui/button.tsx'

/** The other way to prove who one is. An address of its own, so that it can be kept as a bookmark. */
export function OtherWay({ to }: { to: 'key' | 'password' }) {
  const { next } = useSearch({ strict: false }) as { next?: string }
  const search = toSearch({ by: to === 'key' ? 'key' : null, next })
  return (
    <ButtonLink kind="quiet" icon={to === 'key' ? 'key' : 'person'} href={`/sign-in${search}`}>
      {to === 'key' ? 'Use an API key' : 'Use e-mail and password'}
    </ButtonLink>
  )
}
