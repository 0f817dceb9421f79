import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'

type RefusedProps = { what: string; reasons: readonly string[]; onClose(): void }

/** What was not taken, and why; the rest was. */
export function Refused({ what, reasons, onClose }: RefusedProps) {
  return (
    <Dialog
      open
      title={`These ${what} were refused`}
      description="Nothing of them was saved; the others were."
      onClose={onClose}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <ul className="flex flex-col gap-2 text-bad">
        {reasons.map((reason) => (
          <li key={reason} className="break-words">
            {reason}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
