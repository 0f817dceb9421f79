import { defineConfig } from 'vitest/config'

/** npm run inbox-browser: runs the stock inbox and our own in a real Chromium, in the pages of two examples. */
export default defineConfig({
  test: {
    include: ['browser/stock-inbox.test.ts', 'browser/own-inbox.test.ts'],
    reporters: ['default', './test/summary-reporter.ts'],
    testTimeout: 30_000,
    // The tests install and build the examples.
    hookTimeout: 120_000,
    expect: { poll: { timeout: 10_000 } },
  },
})
