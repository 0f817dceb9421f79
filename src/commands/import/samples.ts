/** Some of each kind, chosen so that each is as likely as any other, whatever their number. */
const perKind = 5

export function createSamples(random: () => number = Math.random) {
  const kinds = new Map<string, { seen: number; chosen: string[] }>()
  return {
    offer(kind: string, name: string): void {
      const own = kinds.get(kind) ?? { seen: 0, chosen: [] }
      kinds.set(kind, own)
      own.seen += 1
      if (own.chosen.length < perKind) own.chosen.push(name)
      else {
        const at = Math.floor(random() * own.seen)
        if (at < perKind) own.chosen[at] = name
      }
    },
    of: (kind: string): readonly string[] => kinds.get(kind)?.chosen ?? [],
  }
}
