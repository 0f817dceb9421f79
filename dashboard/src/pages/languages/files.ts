/** Gives the browser a file to keep. */
export function downloadJson(name: string, value: unknown): void {
  const file = new Blob([`${JSON.stringify(value, null, 2)}\n`], { type: 'application/json' })
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** `de_AT.json` → `de_AT`, also where a folder of downloads made it `de_AT (1).json`. */
export function localeInName(name: string): string {
  return name.replace(/\.json$/i, '').replace(/ ?\(\d+\)$/, '')
}
