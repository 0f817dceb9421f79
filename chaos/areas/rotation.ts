import { defineArea } from '../lib/area.ts'
import { alone, type World } from '../lib/world.ts'
import { rotationUnderLoad } from '../rows/secrets/under-load.ts'

export const rotation = defineArea<World>({
  name: 'rotation',
  open: async (world) => world,
  // A dozen processes are started one after the other.
  rowLimitMs: 300_000,
  rows: { 'sends while the key changes': alone(rotationUnderLoad) },
  mutations: [
    {
      name: 'reseal does not look which keys the nodes hold',
      edits: [
        {
          file: 'src/core/operations/reseal-secrets.ts',
          find: '(await listLiveNodes(trx)).filter((node) => node.id !== self)',
          replace: '(await listLiveNodes(trx)).filter((node) => node.id !== self && !keyId)',
        },
      ],
      turnsRed: 'sends while the key changes',
    },
    {
      name: 'the first key of a node seals, whatever the others hold',
      edits: [
        {
          file: 'src/lib/seal.ts',
          find: 'return sealBy(current, randomBytes(ivLength), place, text)',
          replace: 'return sealBy(first, randomBytes(ivLength), place, text)',
        },
      ],
      turnsRed: 'sends while the key changes',
    },
  ],
})
