import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog/dialog.tsx'
import { CopyText } from './copy-text.tsx'

type RecoveryCodesProps = { codes: readonly string[]; email: string; onClose(): void }

/** Shown this once: only their fingerprints are stored. */
export function RecoveryCodes({ codes, email, onClose }: RecoveryCodesProps) {
  const text = codes.join('\n')
  return (
    <Dialog
      open
      title="Keep your recovery codes"
      onClose={onClose}
      footer={
        <Button kind="primary" onClick={onClose}>
          I have kept them
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <p className="text-muted print:hidden">
          Two-factor sign-in is on. When the phone is not at hand, one of these lets you in instead. Each works once,
          and they are shown this once: keep them where you keep your passwords, or on paper.
        </p>
        <section aria-label="Recovery codes" className="printed rounded-md border border-line bg-bg p-4">
          <p className="mb-3 hidden print:block">
            Recovery codes for {email} at {location.host}. Each works once.
          </p>
          <ol className="grid grid-cols-1 gap-x-6 gap-y-1.5 font-mono sm:grid-cols-2">
            {codes.map((code) => (
              <li key={code}>{code}</li>
            ))}
          </ol>
        </section>
        <div className="flex flex-wrap gap-2">
          <CopyText text={text} />
          <Button icon="download" onClick={() => saveAs(`tidings-recovery-codes.txt`, `${text}\n`)}>
            Download
          </Button>
          <Button onClick={() => window.print()}>Print</Button>
        </div>
      </div>
    </Dialog>
  )
}

function saveAs(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(url))
}
