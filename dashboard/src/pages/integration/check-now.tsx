import type { ReactNode } from 'react'
import type { ApiFault } from '../../api/fault.ts'
import type { Integration, Provider } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { FaultNote } from '../../ui/empty.tsx'
import { useCheck } from './use-save.ts'
import { VendorWords } from './vendor-words.tsx'

/** A check of what is stored, with its result in a dialog. */
export function CheckNow({ integration, provider }: { integration: Integration; provider: Provider }) {
  const { check, fault } = useCheck(integration)
  const name = provider.displayName
  return (
    <>
      <Button size="sm" busy={check.isPending} onClick={() => check.mutate()}>
        Check connection
      </Button>
      <Dialog
        open={check.isSuccess || check.isError}
        title="Check of the connection"
        onClose={check.reset}
        footer={<Button onClick={check.reset}>Close</Button>}
      >
        {check.isSuccess && (
          <VendorWords tone="ok" title={`${name} did not refuse these credentials`}>
            <p className="mt-1 text-sm text-muted">
              It took them, or it could not be reached within five seconds. A test message tells for sure.
            </p>
          </VendorWords>
        )}
        {fault && <CheckFault fault={fault} provider={provider} />}
      </Dialog>
    </>
  )
}

function CheckFault({ fault, provider }: { fault: ApiFault; provider: Provider }) {
  if (fault.code === 'integration_check_failed') return <Refusal fault={fault} provider={provider} />
  const missing = Object.entries(fault.errors)
  if (missing.length === 0) return <FaultNote fault={fault} />
  return (
    <ul role="alert" className="text-bad">
      {missing.map(([name, { messages }]) => (
        <li key={name}>
          {name.replace('credentials.', '')} {messages.join(' ')}
        </li>
      ))}
    </ul>
  )
}

type RefusalProps = { fault: ApiFault; provider: Provider; children?: ReactNode }

/** The server puts the vendor's name before its words. */
export function Refusal({ fault, provider, children }: RefusalProps) {
  const prefix = `${provider.displayName}: `
  const words = fault.message.startsWith(prefix) ? fault.message.slice(prefix.length) : fault.message
  return (
    <VendorWords tone="bad" title={`${provider.displayName} refused these credentials`} words={words}>
      {children}
    </VendorWords>
  )
}
