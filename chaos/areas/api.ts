import { defineArea } from '../lib/area.ts'
import { disconnects } from '../rows/api/disconnect.ts'
import { identicalRequests } from '../rows/api/identical.ts'
import { inFlight } from '../rows/api/in-flight.ts'
import { keyReused } from '../rows/api/key-reuse.ts'
import { killedNode } from '../rows/api/kill.ts'
import { pagingUnderWrites } from '../rows/api/paging.ts'
import type { ApiStage } from '../rows/api/stage.ts'
import { tokenAppends } from '../rows/api/tokens.ts'

export const api = defineArea<ApiStage>({
  name: 'api',
  async open(world) {
    const nodes = await Promise.all([world.startNode(), world.startNode()])
    const tenants = await Promise.all([world.tenant(), world.tenant(), world.tenant(), world.tenant()])
    return { world, nodes, tenants }
  },
  rows: {
    'identical requests': identicalRequests,
    'key reused': keyReused,
    'request in flight': inFlight,
    'client disconnects': disconnects,
    'token appends': tokenAppends,
    'paging under writes': pagingUnderWrites,
    'node killed': killedNode,
  },
  mutations: [
    {
      name: 'every idempotency claim is a new one',
      edits: [
        {
          file: 'src/http/idempotency.ts',
          find: 'return sha256(method, path, key)',
          replace: 'return sha256(method, path, key, String(Math.random()))',
        },
      ],
      turnsRed: 'identical requests',
    },
    {
      name: 'the hash of the body is not compared',
      edits: [
        {
          file: 'src/http/idempotency.ts',
          find: '!stored.requestHash.equals(requestHash)',
          replace: 'requestHash.length === 0',
        },
      ],
      turnsRed: 'key reused',
    },
    {
      name: 'row lock removed in lockSubscriber',
      edits: [
        {
          file: 'src/store/subscribers.ts',
          find: ' for no key update`',
          replace: '`',
        },
      ],
      turnsRed: 'token appends',
    },
    {
      name: 'a page begins with the last row of the page before',
      edits: [{ file: 'src/store/keyset.ts', find: "(place.inclusive ? '=' : '')", replace: "'='" }],
      turnsRed: 'paging under writes',
    },
  ],
})
