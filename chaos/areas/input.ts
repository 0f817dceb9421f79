import type { OpenApi } from '../../src/http/openapi.ts'
import { listOperations } from '../hostile/openapi-fuzz.ts'
import { defineArea } from '../lib/area.ts'
import { clientOf, send } from '../lib/http.ts'
import { publicUrl } from '../lib/world.ts'
import { addressTricks } from '../rows/input/addresses.ts'
import { massAssignment } from '../rows/input/assignment.ts'
import { bounds } from '../rows/input/bounds.ts'
import { prototypeKeys, unstorableText } from '../rows/input/content.ts'
import { costlyBodies } from '../rows/input/costly.ts'
import { schemaFuzz } from '../rows/input/fuzz.ts'
import { headerInjection, sqlEverywhere } from '../rows/input/injection.ts'
import { compressionBombs, deepNesting, oversizedBodies } from '../rows/input/sizes.ts'
import { slowSenders, startDripping } from '../rows/input/slowloris.ts'
import type { InputStage } from '../rows/input/stage.ts'
import { stall } from '../rows/input/stall.ts'

export const input = defineArea<InputStage>({
  name: 'input',
  // A fuzz of a million requests takes half an hour.
  rowLimitMs: process.env.CHAOS_FUZZ ? 3 * 3_600_000 : 300_000,
  async open(world) {
    const node = await world.startNode(publicUrl, 'start')
    const tenant = await world.tenant({ reach: 'organization' })
    const description = (await send(node.url, 'GET', '/openapi.json')).body as OpenApi
    return {
      world,
      node,
      tenant,
      client: clientOf(node.url, tenant),
      description,
      // Those without a key check a signature first; test/route-contract.ts sends odd bodies to them.
      // Left out too: sessions, and streams that do not end.
      operations: listOperations(description).filter(
        ({ operation: { operationId, security } }) =>
          security.length > 0 && !security.some((way) => 'session' in way) && operationId !== 'inbox-stream',
      ),
      memoryMb: node.memoryMb('VmRSS'),
      dripping: world.mutated ? null : await startDripping(node.url, tenant.key),
    }
  },
  rows: {
    'oversized bodies': oversizedBodies,
    'compression bombs': compressionBombs,
    'depth 100,000': deepNesting,
    'NUL and half characters': unstorableText,
    'prototype keys': prototypeKeys,
    'SQL everywhere': sqlEverywhere,
    'mass assignment': massAssignment,
    'address tricks': addressTricks,
    'header injection': headerInjection,
    'costly bodies': costlyBodies,
    'schema fuzz': schemaFuzz,
    'slow senders': slowSenders,
    'memory and sockets': bounds,
    stall,
  },
  mutations: [
    {
      name: 'isStorableText always true',
      edits: [
        {
          file: 'src/lib/read-json.ts',
          find: "return !text.includes('\\0') && text.isWellFormed()",
          replace: 'return text.length >= 0',
        },
      ],
      turnsRed: 'NUL and half characters',
    },
    {
      name: 'prototype keys are let through',
      edits: [
        { file: 'src/lib/read-json.ts', find: "return key === '__proto__'", replace: "return value === '__proto__'" },
      ],
      turnsRed: 'prototype keys',
    },
    {
      name: 'the decompressed size has no limit',
      edits: [{ file: 'src/http/read-body.ts', find: 'maxOutputLength: ', replace: 'chunkSize: ' }],
      turnsRed: 'compression bombs',
    },
    {
      name: 'bodies are not validated',
      edits: [{ file: 'src/http/add-key-route.ts', find: 'checkBody(request.body)', replace: '' }],
      turnsRed: 'schema fuzz',
    },
    {
      name: 'conditions have no bound',
      edits: [{ file: 'src/core/integrations/integration-input.ts', find: ', { maxItems: 100 }', replace: '' }],
      turnsRed: 'costly bodies',
    },
    {
      name: 'limit has no bounds',
      edits: [{ file: 'src/lib/schemas.ts', find: 'minimum: 1, maximum: maxLimit, ', replace: '' }],
      turnsRed: 'schema fuzz',
    },
    {
      name: 'the address guard lets every URL pass',
      edits: [
        {
          file: 'src/egress/address-guard.ts',
          find: 'refuseUrl(text) {',
          replace: 'refuseUrl(text) {\n      if (text.length >= 0) return null',
        },
      ],
      turnsRed: 'address tricks',
    },
    {
      name: 'a body may hold any number of values',
      edits: [
        {
          file: 'src/http/read-body.ts',
          find: 'const mostValues = 200_000',
          replace: 'const mostValues = 3_000_000',
        },
      ],
      turnsRed: 'stall',
    },
  ],
})
