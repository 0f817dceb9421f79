import { useSearch } from '@tanstack/react-router'
import { Door } from '../../../layout/door.tsx'
import { Button } from '../../../ui/button.tsx'
import { ContinueWith, type Offered } from './continue-with.tsx'

type ByConnectionProps = { email: string; offered: readonly Offered[]; onPassword(): void; onBack(): void }

/** The browser goes to the issuer, and comes back to `callback.tsx`. */
export function ByConnection({ email, offered, onPassword, onBack }: ByConnectionProps) {
  const { next } = useSearch({ strict: false }) as { next?: string }
  return (
    <Door title="Sign in" description={`As ${email.trim()}.`}>
      <div className="mt-4 flex flex-col gap-3">
        <ContinueWith email={email} offered={offered} next={next} hasFocus />
        <div className="flex flex-wrap justify-between gap-2">
          <Button kind="quiet" size="sm" onClick={onPassword}>
            Use a password
          </Button>
          <Button kind="quiet" size="sm" onClick={onBack}>
            Another address
          </Button>
        </div>
      </div>
    </Door>
  )
}
