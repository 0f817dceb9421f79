import { parseChangelog } from './changelog.ts'

/** The texts and versions that must agree before a version is published. */
export type ReleaseFiles = {
  /** The text of CHANGELOG.md. */
  changelog: string
  /** Files that carry the version of the program, each with the version that it carries. */
  versions: Record<string, string>
}

/** Returns why a tag must not be released. The list is empty if it may be. */
export function tagFaults(tag: string, { changelog, versions }: ReleaseFiles): string[] {
  const faults = Object.entries(versions)
    .filter(([, version]) => tag !== `v${version}`)
    .map(([file, version]) => `The tag ${tag} is not the version ${version} of ${file}.`)
  const [unreleased, newest] = parseChangelog(changelog)
  if (tag !== `v${newest?.version}`)
    faults.push(`The newest version in CHANGELOG.md is ${newest?.version}, not ${tag}.`)
  const hasEntries = unreleased?.notes !== '### Upgrading\n\n- Nothing to do.'
  if (hasEntries) faults.push('CHANGELOG.md still has entries under [Unreleased]. Move them to the version.')
  return faults
}
