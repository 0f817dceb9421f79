import { createBrowserHistory, type HistoryLocation } from '@tanstack/react-router'
import { addressOf, pageIn } from './address.ts'
import { ownEnvironment } from './environment.ts'

/** To the router a page is the same in every environment; only the address of the window says which one it is. */
export const history = createBrowserHistory({
  parseLocation: pageNow,
  createHref: (page) => addressOf(ownEnvironment(), page),
})

// A link to a place in the page makes an entry without a state.
const noState: HistoryLocation['state'] = { key: '', __TSR_key: '', __TSR_index: 0 }

function pageNow(): HistoryLocation {
  const { search, hash } = location
  const pathname = pageIn(location.pathname)
  return { href: pathname + search + hash, pathname, search, hash, state: window.history.state ?? noState }
}

/** The whole address, as one would send it to a colleague, but without a link that signs in. */
export function addressNow(): string {
  return location.pathname + location.search + (location.hash.startsWith('#link=') ? '' : location.hash)
}

/** An address that names no environment, or names it otherwise, becomes that of the same page in this one. */
export function settleIn(slug: string): void {
  const own = ownEnvironment()
  if (own === slug) return
  const address = addressOf(slug, pageIn(addressNow()))
  // By its id, say: from now on by the one name that links have.
  if (own !== null) location.replace(address)
  // To the router nothing has happened, so it need not hear of it.
  else History.prototype.replaceState.call(window.history, window.history.state, '', address)
}
