import { environmentIn } from './address.ts'

let named: string | null = null

/**
 * The environment that this window is in: the first that its address named. It stays for as long as the page is loaded;
 * going to another one loads it anew, so that nothing read, waiting or half done is carried over. Null: not known yet.
 */
export function ownEnvironment(): string | null {
  named ??= environmentIn(location.pathname)
  return named
}
