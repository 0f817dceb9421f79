import { useQuery } from '@tanstack/react-query'
import type { NewInvitation } from '../../../api/types.ts'
import { Button } from '../../../ui/button.tsx'
import { Code } from '../../../ui/code.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { MailState } from './mail-state.tsx'
import { invitationsQuery } from './queries.ts'

type ShowLinkProps = { invited: NewInvitation; isForOneself?: boolean; onClose(): void }

/** The link of an invitation. Only its fingerprint is stored, so it is shown this once. */
export function ShowLink({ invited, isForOneself = false, onClose }: ShowLinkProps) {
  // Where the server was not told its address, it gives the path alone.
  const link = new URL(invited.link, location.origin).href
  return (
    <Dialog
      open
      title={isForOneself ? 'You are invited' : `${invited.email} is invited`}
      onClose={onClose}
      footer={
        isForOneself ? (
          <>
            <Button onClick={onClose}>Later</Button>
            <Button kind="primary" onClick={() => location.assign(link)}>
              Choose a name and a password
            </Button>
          </>
        ) : (
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-3">
        <p className="text-muted">
          {isForOneself
            ? 'This link makes your account. Until you have opened it, the key and the printed link sign you in as before.'
            : 'Give them this link if the mail does not reach them. It works once, for a week, and is shown this once.'}
        </p>
        <Code label="Link of the invitation" text={link} wrap />
        {!isForOneself && <Mail invited={invited} />}
      </div>
    </Dialog>
  )
}

/** What becomes of the mail, as it goes on. */
function Mail({ invited }: { invited: NewInvitation }) {
  const { data } = useQuery(invitationsQuery)
  const mail = data?.find(({ id }) => id === invited.id)?.mail ?? invited.mail
  return (
    <p role="status" className="flex flex-wrap items-center gap-2 text-sm text-muted">
      <MailState mail={mail} isLong />
    </p>
  )
}
