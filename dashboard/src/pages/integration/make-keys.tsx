import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.tsx'
import type { Draft } from './draft.ts'
import { canMakeKeys, makeVapidKeys } from './vapid-keys.ts'

type MakeKeysProps = { draft: Draft; onChange(draft: Draft): void; hasKeys: boolean }

/** The pair of Web Push, made here: the private key is seen by nobody on its way. */
export function MakeKeys({ draft, onChange, hasKeys }: MakeKeysProps) {
  const [isMade, setIsMade] = useState(false)
  const make = async () => {
    try {
      const keys = await makeVapidKeys()
      onChange({ ...draft, edits: { ...draft.edits, ...keys } })
      setIsMade(true)
    } catch (error) {
      toast.fault(error)
    }
  }
  return (
    <div className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <Button needs="credentials" disabled={!canMakeKeys()} onClick={() => void make()}>
        Make keys
      </Button>
      <p role="status" className="min-w-0 flex-1 basis-60 text-sm text-muted">
        {wordsFor(hasKeys, isMade)}
      </p>
    </div>
  )
}

function wordsFor(hasKeys: boolean, isMade: boolean): string {
  if (!canMakeKeys()) return 'Browsers make keys only on pages that came by https, or from this machine.'
  if (hasKeys) return 'Another pair makes all subscriptions worthless: every browser must subscribe anew.'
  return isMade
    ? 'A new pair stands above; it counts once it is saved.'
    : 'Makes a pair in this browser and fills it in.'
}
