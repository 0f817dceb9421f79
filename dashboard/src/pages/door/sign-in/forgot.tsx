import { paths } from '../../../lib/paths.ts'
import { ButtonLink } from '../../../ui/button.tsx'

/** For who has forgotten the password: a link by mail. */
export function Forgot() {
  return (
    <ButtonLink kind="quiet" size="sm" href={paths.reset} className="self-center">
      Forgot your password?
    </ButtonLink>
  )
}
