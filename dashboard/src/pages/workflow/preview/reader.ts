import type { BodyOf } from '../../../api/calls.ts'

type Sent = BodyOf<'post', '/v2/workflows/preview'>
type Reader = Pick<Sent, 'subscriberId' | 'previewPayload'>

/** As the server makes one up where nobody is named: a language alone would be a person without a name. */
const madeUp = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', data: {} }

/** Whom a preview is for. `locale`: in place of their own; nothing is their own. */
export function asReader(person: string, locale: string, payload: NonNullable<Sent['previewPayload']>): Reader {
  const subscriber = locale ? { ...(!person && madeUp), locale } : undefined
  return {
    ...(person && { subscriberId: person }),
    previewPayload: { ...payload, ...(subscriber && { subscriber }) },
  }
}
