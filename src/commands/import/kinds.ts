/** In the order in which they are imported, and told of. */
export const kinds = [
  'variables',
  'layouts',
  'workflows',
  'translations',
  'integrations',
  'contexts',
  'tenants',
  'subscribers',
  'topics',
  'members',
] as const

export type Kind = (typeof kinds)[number]

/** What `--only` and `--without` take. */
export const choices = [
  'workflows',
  'layouts',
  'translations',
  'subscribers',
  'preferences',
  'topics',
  'choices-of-subscriptions',
  'contexts',
  'integrations',
  'variables',
] as const
export type Choice = (typeof choices)[number]

/** Which of them are wanted. */
export function readWanted(only: string | undefined, without: string | undefined): ReadonlySet<Choice> {
  const included = only === undefined ? choices : readList('only', only)
  const excluded = without === undefined ? [] : readList('without', without)
  const wanted = new Set(included.filter((it) => !excluded.includes(it)))
  // They are of the topics, and come with them.
  if (!wanted.has('topics')) wanted.delete('choices-of-subscriptions')
  else if (!excluded.includes('choices-of-subscriptions')) wanted.add('choices-of-subscriptions')
  if (wanted.size === 0) throw new Error('Nothing is left to import: --only and --without exclude everything.')
  return wanted
}

function readList(option: string, text: string): Choice[] {
  return text.split(',').map((given) => {
    const found = choices.find((it) => it === given.trim())
    if (!found) throw new Error(`--${option} knows ${choices.join(', ')}; not "${given.trim()}".`)
    return found
  })
}

/** Whether the report has a row for this. */
export function isTold(kind: Kind, wanted: ReadonlySet<Choice>): boolean {
  if (kind === 'members') return wanted.has('topics')
  if (kind === 'tenants') return wanted.has('contexts')
  if (kind === 'subscribers') return wanted.has('subscribers') || wanted.has('preferences')
  return wanted.has(kind)
}
