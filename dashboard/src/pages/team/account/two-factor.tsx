import { useState } from 'react'
import type { Account } from '../../../api/types.ts'
import { useSession } from '../../../lib/session.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { useRefreshAccount } from './queries.ts'
import { NewRecoveryCodes } from './two-factor/new-recovery-codes.tsx'
import { SetUp } from './two-factor/set-up.tsx'
import { TurnOff } from './two-factor/turn-off.tsx'

// So few that one should make new ones.
const fewCodes = 3

/** The second proof: a code of an app beside the password. */
export function TwoFactor({ account }: { account: Account }) {
  const { mustSetUp } = useSession()
  const [opened, setOpened] = useState<'set-up' | 'codes' | 'off' | null>(null)
  const refresh = useRefreshAccount()
  const close = () => {
    setOpened(null)
    void refresh()
  }
  return (
    <Card
      title="Two-factor sign-in"
      description="A code of an app, asked for beside the password."
      actions={
        account.twoFactor ? <Badge tone="ok">on</Badge> : <Badge tone={mustSetUp ? 'warn' : 'neutral'}>off</Badge>
      }
    >
      {!account.hasPassword && (
        <p className="text-muted">
          You come in by the sign-in of your organization; a second proof is asked for there.
        </p>
      )}
      {account.hasPassword && !account.twoFactor && (
        <Button kind="primary" icon="lock" onClick={() => setOpened('set-up')}>
          Set it up
        </Button>
      )}
      {account.twoFactor && (
        <div className="flex flex-col gap-3">
          <CodesLeft left={account.recoveryCodesLeft} />
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setOpened('codes')}>New recovery codes</Button>
            <Button kind="danger" onClick={() => setOpened('off')}>
              Turn it off
            </Button>
          </div>
        </div>
      )}
      {opened === 'set-up' && <SetUp email={account.email} onClose={close} />}
      {opened === 'codes' && <NewRecoveryCodes email={account.email} onClose={close} />}
      {opened === 'off' && <TurnOff email={account.email} onClose={close} />}
    </Card>
  )
}

function CodesLeft({ left }: { left: number }) {
  const said =
    left === 0
      ? 'No recovery code is left'
      : left === 1
        ? 'One recovery code is left'
        : `${left} recovery codes are left`
  return (
    <p className={left <= fewCodes ? 'text-warn' : 'text-muted'}>
      {said}, for when the phone is not at hand. {left <= fewCodes && 'Make new ones.'}
    </p>
  )
}
