import { Type } from 'typebox'
import { may } from '../../core/access/permissions.ts'
import { defineRoute } from '../../http/define-route.ts'
import { fields, limitQuery } from '../../lib/schemas.ts'
import { listDevMails } from '../../store/history/dev-mails.ts'

const devMailSchema = Type.Object(
  {
    _id: Type.String({ description: 'The id of the message.' }),
    channel: Type.String(),
    to: Type.String(),
    subject: Type.Optional(Type.String()),
    content: Type.String(),
    createdAt: Type.String({ format: 'date-time' }),
  },
  { title: 'DevMail' },
)

export default defineRoute({
  method: 'GET',
  path: '/v1/dev/mailbox',
  summary:
    'What platform-email and platform-sms delivered, newest first (development); invitations and resets to owners only',
  query: fields({
    to: Type.Optional(Type.String({ description: 'The whole address or number.' })),
    limit: limitQuery(100),
  }),
  response: Type.Object({ data: Type.Array(devMailSchema) }),
  async handler({ db, env, query: { limit = 10, ...filter } }) {
    const rows = await listDevMails(db, env, { ...filter, withOwn: may(env, 'signIn') }, limit)
    const data = rows.map((row) => ({
      _id: row.id,
      channel: row.channel,
      to: row.recipient,
      ...(row.subject !== null && { subject: row.subject }),
      content: row.content,
      createdAt: row.created_at.toISOString(),
    }))
    return { data }
  },
})
