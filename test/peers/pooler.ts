import { makeRoleSettings } from '../../src/store/pooler/role-settings.ts'

/** Host and port of a PgBouncer before the tests' server: then the program's connections go through it. */
const pooler = process.env.TEST_POOLER

export function throughPooler(url: string): string {
  return pooler ? Object.assign(new URL(url), { host: pooler }).href : url
}

/** The settings of a program that is to go through the pooler, if there is one. */
export function poolerSettings(directUrl: string): Record<string, string> {
  return pooler ? { DATABASE_URL: throughPooler(directUrl), DATABASE_DIRECT_URL: directUrl } : {}
}

/** What `migrate` makes for the role of each. */
export async function makeSettingsOf(directUrls: Iterable<string>): Promise<void> {
  for (const directUrl of pooler ? new Set(directUrls) : [])
    await makeRoleSettings({ url: throughPooler(directUrl), directUrl }, () => {})
}
