import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'

const snippet = `import { Webhook } from 'standardwebhooks'

// Throws when the signature is wrong. The body as it came, not parsed.
const event = new Webhook(secret).verify(body, request.headers)`

type ShowSecretProps = { title: string; secret: string; children?: ReactNode; onClose(): void }

/** It is never shown again. */
export function ShowSecret({ title, secret, children, onClose }: ShowSecretProps) {
  return (
    <Dialog
      open
      title={title}
      onClose={onClose}
      footer={
        <Button kind="primary" onClick={onClose}>
          I have kept it
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <p className="text-muted">Copy the signing secret now. It is kept sealed and never shown again.</p>
        <Code label="Signing secret" text={secret} wrap />
        {children}
        <p className="text-muted">Your server checks with it that a request is ours:</p>
        <Code label="How to check a request" text={snippet} />
      </div>
    </Dialog>
  )
}
