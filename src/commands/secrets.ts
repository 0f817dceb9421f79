import { resealSecrets } from '../core/operations/reseal-secrets.ts'
import type { Host, Output } from './host.ts'
import { prepare, printNewKey } from './prepare.ts'

/** `secrets reseal`: run it after a new key was added to ENCRYPTION_KEYS on every node. */
export async function resealCommand({ settings, print }: Host): Promise<void> {
  const prepared = await prepare(settings(), () => {}, { role: 'secrets' })
  const { ctx, announcement, close } = prepared
  try {
    printNewKey(prepared, print)
    const done = new Map<string, number>()
    const { retired } = await resealSecrets(ctx.database.db, ctx.sealer, {
      now: ctx.clock(),
      self: announcement.id,
      progress: (table, count) => done.set(table, count),
      waits: waitPrinter(print),
    })
    for (const [table, count] of done) print(`${table}: ${count} resealed`)
    print(summary(ctx.sealer.currentKeyId(), retired))
  } finally {
    await close()
  }
}

/** Prints each node once. The seconds since a node was last seen change every time; the rest of the text identifies it. */
function waitPrinter(print: Output): (nodes: readonly string[]) => void {
  const printed = new Set<string>()
  return (nodes) => {
    for (const node of nodes) {
      const name = node.replace(/, last seen.*/, ')')
      if (!printed.has(name)) print(`Waiting until this node seals with the new key: ${name}`)
      printed.add(name)
    }
  }
}

function summary(keyId: string, retired: readonly string[]): string {
  return retired.length > 0
    ? `Everything is sealed with "${keyId}". No longer needed: ${retired.join(', ')}. Remove it after a day, because e-mails that are tried again until then carry links made with it.`
    : `Everything is sealed with "${keyId}" already.`
}
