import { sendOwnMails } from '../../core/own-mails/send-own-mails.ts'
import { defineLoop } from '../../engine/define-loop.ts'

/** Invitations and resets, by the integration that the organization chose. */
export default defineLoop({ name: 'send-own-mails', everyMs: 1_000, run: (ctx) => sendOwnMails(ctx) })
