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
  return (
    <>
      <Button needs="credentials" size="sm" busy={check.isPending} onClick={() => check.mutate()}>
        Check connection
      </Button>
      <Dialog
        open={check.isSuccess || check.isError}
        title="Check of the connection"
        onClose={check.reset}
        footer={<Button onClick={check.reset}>Close</Button>}
      >
        {check.data && <CheckOutcome checked={check.data.check} provider={provider} />}
        {fault && <CheckFault fault={fault} provider={provider} />}
      </Dialog>
    </>
  )
}

/** Refused ones are a fault; see `Refusal`. */
function CheckOutcome({ checked, provider }: { checked: Integration['check']; provider: Provider }) {
  const name = provider.displayName
  if (checked?.outcome === 'accepted') return <VendorWords tone="ok" title={`${name} accepted these credentials`} />
  const title =
    checked?.outcome === 'not_reached' ? `${name} was not reached` : 'Nothing was checked: only a test message tells'
  return (
    <VendorWords tone="warn" title={title}>
      <p className="mt-1 text-sm text-muted">{checked?.reason}</p>
    </VendorWords>
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
