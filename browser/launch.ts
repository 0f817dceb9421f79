import { type Browser, chromium } from 'playwright-core'
import { findChromium } from './find-chromium.ts'

export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium(),
    // Root in a container has no sandbox of its own; and a browser that calls home would be noise in the record.
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  })
}
