import { existsSync } from 'node:fs'

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The browser of this machine; Playwright brings none. */
export function findChromium(): string {
  const named = process.env.CHROMIUM
  const found = named ? [named].find(existsSync) : places.find(existsSync)
  if (found) return found
  const missing = named ? `CHROMIUM names ${named}, where there is nothing` : 'There is no Chromium on this machine'
  throw new Error(`${missing}: install it (Debian: apt-get install chromium), or set CHROMIUM to the path of one.`)
}

// `node browser/find-chromium.ts`: one sentence before anything is built, instead of a failure in every test.
if (import.meta.main) {
  try {
    findChromium()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
