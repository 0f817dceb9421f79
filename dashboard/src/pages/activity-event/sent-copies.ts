import type { SentMessage } from '../../api/types.ts'

/** The e-mails of a step whose content is kept. */
export function copiesOf(messages: readonly SentMessage[]): SentMessage[] {
  return messages.filter(({ channel, html, content }) => channel === 'email' && Boolean(html || content))
}

/** What the link to a copy says: of several, to whom. */
export function copyWords({ status, to }: Pick<SentMessage, 'status' | 'to'>, isOneOfSeveral: boolean): string {
  const words = status === 'sent' ? 'See what was sent' : 'See what was to be sent'
  return isOneOfSeveral && to ? `${words} to ${to}` : words
}
