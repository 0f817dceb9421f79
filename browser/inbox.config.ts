import { defineConfig } from 'vitest/config'

/** npm run inbox-browser: the stock inbox component in a real Chromium, in the page of examples/react-inbox. */
export default defineConfig({
  test: {
    include: ['browser/stock-inbox.test.ts'],
    reporters: ['default', './test/summary-reporter.ts'],
    testTimeout: 30_000,
    // It installs and builds the example.
    hookTimeout: 120_000,
    expect: { poll: { timeout: 10_000 } },
  },
})
