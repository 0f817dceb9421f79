/** In the order of asking: every browser calls itself by the names of others, too. */
const browsers = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/HeadlessChrome|Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const
const systems = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
] as const

/** `Firefox on Windows`; what nobody knows is shown as it calls itself. */
export function browserOf(agent: string | undefined): string {
  if (!agent) return 'Unknown browser'
  const named = (table: typeof browsers | typeof systems) => table.find(([pattern]) => pattern.test(agent))?.[1]
  const [browser, system] = [named(browsers), named(systems)]
  if (!browser) return agent.slice(0, 60)
  return system ? `${browser} on ${system}` : browser
}
