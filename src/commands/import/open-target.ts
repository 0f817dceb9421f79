import type { Config } from '../../config.ts'
import { readRemote } from '../content/door.ts'
import { openOwnTarget, openRemoteTarget, type Target } from './target.ts'

export type TargetOptions = { to?: string; toKey?: string; environment?: string }

/** Opens Tidings over HTTP if an address is given or set, otherwise the database of the settings. */
export async function openTarget(
  settings: () => Config,
  values: TargetOptions,
  options: { lanes: number; stop: AbortSignal },
): Promise<Target> {
  const remote = readRemote()
  const url = values.to ?? remote.url
  if (!url) return openOwnTarget(settings(), values.environment, options)
  const key = values.toKey ?? remote.key
  if (!key) throw new Error('No API key of Tidings was given. Set TIDINGS_API_KEY or add --to-key <API key>.')
  return openRemoteTarget(url, key, options)
}
