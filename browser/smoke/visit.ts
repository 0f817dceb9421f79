import type { Locator, Page } from 'playwright-core'

/** One look at a page: where it is, what it is called, and what of the seeded data it must show. */
export type Visit = { route: string; path: string; heading: string; sees(page: Page): Locator[] }
