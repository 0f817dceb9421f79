import type { Config } from '../../config.ts'
import { readRemote } from '../content/door.ts'
import { openOwnTarget, openRemoteTarget, type Target } from './target.ts'

type Values = { to?: string | undefined; 'to-key'?: string | undefined; environment?: string | undefined }

/** By an address, given or in the settings; else the database of the settings. */
export async function openTarget(
  settings: () => Config,
  values: Values,
  options: { lanes: number; stop: AbortSignal },
): Promise<Target> {
  const remote = readRemote()
  const url = values.to ?? remote.url
  if (!url) return openOwnTarget(settings(), values.environment, options)
  const key = values['to-key'] ?? remote.key
  if (!key) throw new Error('Which key of ours? Set TIDINGS_API_KEY, or say --to-key <API key>.')
  return openRemoteTarget(url, key, options)
}
