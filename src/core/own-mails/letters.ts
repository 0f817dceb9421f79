import { oneLine } from '../../lib/one-line.ts'
import type { MailKind } from '../../store/people/own-mails.ts'

/** What goes into a mail: kept with it, so that each try sends the same. */
export type Letter = {
  kind: MailKind
  link: string
  organization: string
  /** Who invites, if it is a person. */
  by: string | null
  /** After this the link opens nothing, so the mail is not sent any more. */
  until: string
}

type Written = { subject: string; text: string; html: string }

/** Plain, from code: no tenant writes into it but names. */
export function writeLetter(letter: Letter): Written {
  const { subject, before, button, after } = wordsOf(letter)
  const text = [...before, letter.link, ...after].join('\n\n')
  const paragraph = (words: string) => `<p>${escaped(words)}</p>`
  const html = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    `<title>${escaped(subject)}</title></head>`,
    '<body style="font:16px/1.5 system-ui,sans-serif;color:#1f2937;background:#ffffff;max-width:36rem;margin:2rem auto;padding:0 1rem">',
    ...before.map(paragraph),
    `<p><a href="${escaped(letter.link)}" style="display:inline-block;padding:.6rem 1.2rem;border-radius:.4rem;background:#2563eb;color:#ffffff;text-decoration:none">${escaped(button)}</a></p>`,
    `<p style="color:#6b7280;font-size:14px">Or open this address: <br><span style="word-break:break-all">${escaped(letter.link)}</span></p>`,
    ...after.map(paragraph),
    '</body></html>',
  ].join('\n')
  return { subject: oneLine(subject), text: `${text}\n`, html }
}

function wordsOf({ kind, organization, by }: Letter) {
  switch (kind) {
    case 'invitation':
      return {
        subject: `You are invited to ${organization}`,
        before: [
          'Hello,',
          by === null
            ? `you are invited to work in ${organization} on Tidings, where it makes and sends its notifications.`
            : `${by} invites you to work in ${organization} on Tidings, where it makes and sends its notifications.`,
        ],
        button: 'Accept the invitation',
        after: ['The link is for you alone and works once, for a week. If you expected no invitation, do nothing.'],
      }
    case 'password-reset':
      return {
        subject: 'Choose a new password',
        before: [
          'Hello,',
          'somebody asked for a new password of your account on Tidings. If it was you, choose one here:',
        ],
        button: 'Choose a new password',
        after: [
          'The link is for you alone and works once, for an hour. If it was not you, do nothing: your password stays as it is.',
        ],
      }
  }
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}
