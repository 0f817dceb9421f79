/** One version of CHANGELOG.md. */
export type Release = {
  /** `0.17.0`, or `Unreleased`. */
  version: string
  /** The day of the release as it is written; empty for `Unreleased`. */
  date: string
  /** Everything below the heading. */
  notes: string
  /** The headings below the version, in their order, each with its text. */
  sections: Map<string, string>
}

const versionHeading = /^## /m
const allowed = ['Upgrading', 'Added', 'Changed', 'Fixed', 'Security']

/** Reads the versions of a changelog in the form of Keep a Changelog, the newest first. */
export function parseChangelog(text: string): Release[] {
  return text.split(versionHeading).slice(1).map(parseRelease)
}

function parseRelease(part: string): Release {
  const [heading = '', ...lines] = part.split('\n')
  const [, version = heading, date = ''] = /^\[([^\]]+)\](?: - (.+))?$/.exec(heading) ?? []
  const notes = lines.join('\n').trim()
  const sections = new Map(
    notes
      .split(/^### /m)
      .slice(1)
      .map((section) => {
        const [title = '', ...rest] = section.split('\n')
        return [title, rest.join('\n').trim()]
      }),
  )
  return { version, date, notes, sections }
}

/** Returns what is wrong with the changelog of the given version of the program. The list is empty if nothing is. */
export function changelogFaults(text: string, version: string): string[] {
  const releases = parseChangelog(text)
  const released = releases.filter((release) => release.version !== 'Unreleased')
  const faults = [...releases.flatMap(releaseFaults), ...released.flatMap(dateFaults)]
  if (releases[0]?.version !== 'Unreleased') faults.push('The first entry is not [Unreleased]')
  if (released[0]?.version !== version) faults.push(`The newest version is not ${version}, the one of package.json`)
  for (const [n, { version: newer }] of released.slice(0, -1).entries()) {
    const older = released[n + 1]?.version ?? ''
    if (compareVersions(newer, older) <= 0) faults.push(`${newer} is above ${older}`)
  }
  return faults
}

function releaseFaults({ version, notes, sections }: Release): string[] {
  const titles = [...sections.keys()]
  const faults = titles
    .filter((title) => !allowed.includes(title))
    .map((title) => `${version} has the heading "${title}"`)
  if (titles[0] !== 'Upgrading') faults.push(`${version} does not begin with Upgrading`)
  if (!notes.startsWith('### ')) faults.push(`${version} has text above its headings`)
  if (titles.length < (notes.match(/^### /gm) ?? []).length) faults.push(`${version} has a heading twice`)
  const order = titles.map((title) => allowed.indexOf(title)).filter((place) => place >= 0)
  if (order.some((place, n) => n > 0 && place <= (order[n - 1] ?? 0))) faults.push(`${version} mixes up its headings`)
  for (const [title, body] of sections) {
    if (body.split('\n').some((line) => !/^- \S.*\.$/.test(line)))
      faults.push(`${version}, ${title}: every line must be one "- Sentence."`)
  }
  return faults
}

function dateFaults({ version, date }: Release): string[] {
  const isVersion = /^\d+\.\d+\.\d+$/.test(version)
  const isDate = /^\d{4}-\d\d-\d\d$/.test(date) && !Number.isNaN(Date.parse(date))
  return [
    ...(isVersion ? [] : [`"${version}" is not a version`]),
    ...(isDate ? [] : [`${version} has the date "${date}"`]),
  ]
}

function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number))
  const differences = [0, 1, 2].map((n) => (left?.[n] ?? 0) - (right?.[n] ?? 0))
  return differences.find((difference) => difference !== 0) ?? 0
}

/** Returns the numbers of the migrations that a release names under Upgrading, ranges included. */
export function listMigrations({ sections }: Release): string[] {
  const text = sections.get('Upgrading') ?? ''
  return [...text.matchAll(/\b(0\d{3})(?: to (0\d{3}))?\b/g)].flatMap(([, first = '', last = first]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, n) => String(Number(first) + n).padStart(4, '0')),
  )
}
