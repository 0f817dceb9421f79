import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Rolldown } from 'vite'
import { noticesFile } from '../../dashboard/scripts/bundle-notices.ts'
import { packageNotices } from '../../dashboard/scripts/package-notices.ts'

const root = join(import.meta.dirname, '../..')
const line = '='.repeat(80)

/** Returns THIRD_PARTY_NOTICES. `dashboard` is the part about the dashboard, which only a build of it knows. */
export function thirdPartyNotices(dashboard: string): string {
  return `Tidings is under the licence in LICENSE. It contains the packages below, each under its own licence.
Made by npm run generate; do not edit. The client package (packages/client) contains no other package.

${line}
The server: the packages of its production installation
${line}

${packageNotices(serverPackages())}
${dashboardHeading}${dashboard}`
}

const dashboardHeading = `${line}
The dashboard: the packages, styles and fonts in the scripts that it serves
${line}

`

/** Returns the part about the dashboard that a written file has. */
export function dashboardPart(notices: string): string {
  return notices.slice(notices.indexOf(dashboardHeading) + dashboardHeading.length)
}

/** Builds the dashboard without writing it, and returns the notices that its scripts lead to. */
export async function dashboardNotices(): Promise<string> {
  process.env.NODE_ENV = 'production'
  const built = await build({ root: join(root, 'dashboard'), logLevel: 'warn', build: { write: false } })
  const { output } = built as Rolldown.RolldownOutput
  const file = output.find(({ fileName }) => fileName === noticesFile)
  if (file?.type !== 'asset') throw new Error(`the build of the dashboard made no ${noticesFile}`)
  return String(file.source)
}

type Locked = { dev?: boolean; optional?: boolean; devOptional?: boolean; link?: boolean }

/** Returns the folders of what `npm ci --omit=dev --omit=optional` installs. */
export function serverPackages(): string[] {
  const lock: { packages: Record<string, Locked> } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return Object.entries(lock.packages)
    .filter(([place]) => place.includes('node_modules/'))
    .filter(([, { dev, optional, devOptional, link }]) => !dev && !optional && !devOptional && !link)
    .map(([place]) => join(root, place))
}
