import { useId } from 'react'
import { ApiFault } from '../../../api/fault.ts'
import { FaultNote } from '../../../ui/empty.tsx'
import { Icon } from '../../../ui/icon.tsx'

type RefusalProps = {
  fault: ApiFault | null
  /** Seconds to wait. */
  left: number
  /** Instead of the server's words: it does not say which part was wrong, and neither does the page. */
  words?: Record<string, string>
}

/** Why nobody was let in. */
export function Refusal({ fault, left, words = {} }: RefusalProps) {
  const id = useId()
  if (!fault) return null
  if (fault.status === 429) return left > 0 ? <Pause id={id} left={left} /> : null
  const said = words[fault.code]
  return (
    <FaultNote fault={said === undefined ? fault : new ApiFault(fault.status, { code: fault.code, message: said })} />
  )
}

/** Read out once; the seconds are for the eyes. */
function Pause({ id, left }: { id: string; left: number }) {
  return (
    <div className="flex items-start gap-3 rounded-md bg-warn-soft px-3 py-2.5 text-warn">
      <Icon name="clock" className="mt-0.5" />
      <p id={id}>
        <span role="alert">Too many tries. Wait a moment, then try again.</span>{' '}
        <span role="timer" className="font-medium whitespace-nowrap">
          {left} s
        </span>
      </p>
    </div>
  )
}
