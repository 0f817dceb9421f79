import { newEncryptionKey, type World } from '../../lib/world.ts'

/** The key is ours, so that a row can write into the database what the API would not take. */
export type EgressStage = World & { encryptionKey: string }

export async function openEgress(world: World): Promise<EgressStage> {
  const encryptionKey = newEncryptionKey('k1')
  return {
    ...world,
    encryptionKey,
    startNode: (settings, role) => world.startNode({ ENCRYPTION_KEYS: encryptionKey, ...settings }, role),
  }
}

/** Whatever happens, no node outlives its row. */
export function aloneOnStage(run: (stage: EgressStage) => Promise<string>): (stage: EgressStage) => Promise<string> {
  return (stage) =>
    run(stage).finally(() =>
      Promise.all(stage.nodes.filter((node) => node.ended() === null).map((node) => node.kill())),
    )
}
