import type { Invitation } from '../../../api/types.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'

const states: Record<NonNullable<Invitation['mail']>['state'], { tone: Tone; word: string; said: string }> = {
  waiting: { tone: 'info', word: 'mail on its way', said: 'A mail with the link is on its way.' },
  sent: { tone: 'ok', word: 'mail sent', said: 'A mail with the link was taken by the mail server.' },
  failed: { tone: 'bad', word: 'mail failed', said: 'The mail could not be sent.' },
}

/** What became of the mail of an invitation, and why. */
export function MailState({ mail, isLong = false }: { mail: Invitation['mail']; isLong?: boolean }) {
  if (!mail) return isLong ? 'No mail was sent: give them the link yourself.' : <Badge>no mail</Badge>
  const { tone, word, said } = states[mail.state]
  return (
    <>
      <Badge tone={tone} {...(mail.reason && { title: mail.reason })}>
        {word}
      </Badge>
      {isLong && (
        <span>
          {said} {mail.reason}
        </span>
      )}
    </>
  )
}
