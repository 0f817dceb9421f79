import type { Ctx } from '../../context.ts'
import type { MessageRow } from '../../store/history/messages.ts'
import { channelOverrides } from '../pipeline/overrides.ts'

type Mail = { row: Pick<MessageRow, 'environment_id' | 'id' | 'channel' | 'overrides' | 'content'>; stepId: string }

/**
 * The plain part of each e-mail of one environment, by message id. Made in a render thread, so no transaction may be open. Messages there
 * was no time for are missing and must be tried again, because every try of a mail has to send the same parts.
 */
export async function makeTextParts(ctx: Ctx, mails: readonly Mail[]): Promise<Map<string, string>> {
  const parts = new Map<string, string>()
  const htmls = new Map<string, string>()
  for (const { row, stepId } of mails) {
    if (row.channel !== 'email') continue
    const { text, html } = channelOverrides(row.overrides, 'email', stepId)
    if (typeof text === 'string') parts.set(row.id, text)
    else htmls.set(row.id, typeof html === 'string' ? html : row.content)
  }
  const texts = await ctx.renderer.toText([...htmls.values()], mails[0]?.row.environment_id)
  for (const [index, id] of [...htmls.keys()].entries()) {
    const text = texts[index]
    if (typeof text === 'string') parts.set(id, text)
  }
  return parts
}
