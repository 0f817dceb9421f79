/**
 * node scripts/release/release-notes.ts v0.18.0
 *
 * Checks that the tag may be released, and prints the notes of that version from CHANGELOG.md. It needs nothing but Node,
 * so that the release workflow can run it before it installs anything.
 */
import { readFileSync } from 'node:fs'
import { parseChangelog } from './changelog.ts'
import { tagFaults } from './tag-faults.ts'

const tag = process.argv[2] ?? ''
const changelog = readFileSync('CHANGELOG.md', 'utf8')
const faults = tagFaults(tag, { changelog, versions: readVersions() })
if (faults.length > 0) {
  console.error(faults.join('\n'))
  process.exit(1)
}
console.log(parseChangelog(changelog).find(({ version }) => `v${version}` === tag)?.notes)

/** Reads the version from every file that carries it. */
function readVersions(): Record<string, string> {
  const chart = 'deploy/chart/Chart.yaml'
  return {
    'package.json': versionIn('package.json', /^ {2}"version": "(.+)",$/m),
    'packages/client/package.json': versionIn('packages/client/package.json', /^ {2}"version": "(.+)",$/m),
    [chart]: versionIn(chart, /^version: "?([^"\s]+)/m),
    [`${chart} (appVersion)`]: versionIn(chart, /^appVersion: "?([^"\s]+)/m),
  }
}

function versionIn(file: string, pattern: RegExp): string {
  return pattern.exec(readFileSync(file, 'utf8'))?.[1] ?? 'unknown'
}
