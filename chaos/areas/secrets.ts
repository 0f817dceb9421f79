// biome-ignore-all lint/suspicious/noTemplateCurlyInString: mutations quote the program's own source
import { defineArea } from '../lib/area.ts'
import { newEncryptionKey } from '../lib/world.ts'
import { newCanary } from '../oracles/canary.ts'
import { databaseAndLogs, maskedReplies } from '../rows/secrets/canaries.ts'
import { floodOfKeys, keyTiming, revokedKeys } from '../rows/secrets/keys.ts'
import { keyRotation } from '../rows/secrets/rotation.ts'
import type { SecretsStage } from '../rows/secrets/stage.ts'
import { swappedCiphertext } from '../rows/secrets/swap.ts'

export const secrets = defineArea<SecretsStage>({
  name: 'secrets',
  async open(world) {
    const oldKey = newEncryptionKey('key12')
    const bootstrapKey = newCanary(world.random, 'bootstrap key').text
    const settings = { ENCRYPTION_KEYS: oldKey, BOOTSTRAP_API_KEY: bootstrapKey, LOG_LEVEL: 'trace' }
    const nodes = await Promise.all([world.startNode(settings), world.startNode(settings)])
    return { world, nodes, oldKey, bootstrapKey }
  },
  rows: {
    'database and logs': databaseAndLogs,
    'masked replies': maskedReplies,
    'swapped ciphertext': swappedCiphertext,
    '401 flood': floodOfKeys,
    'key timing': keyTiming,
    'revoked keys': revokedKeys,
    'key rotation': keyRotation,
  },
  mutations: [
    {
      name: 'seal() leaves the text as it is',
      edits: [
        {
          file: 'src/lib/seal.ts',
          find: "${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`",
          replace: '${body.length > 0 ? text : ""}`',
        },
        {
          file: 'src/lib/seal.ts',
          find: "const raw = Buffer.from(encoded, 'base64url')",
          replace:
            "if (encoded.length >= 0) return sealed.split('.').slice(2).join('.')\n      const raw = Buffer.from(encoded, 'base64url')",
        },
      ],
      turnsRed: 'database and logs',
    },
    {
      name: 'the log line holds the body',
      edits: [
        {
          file: 'src/http/server.ts',
          find: 'status: reply.statusCode,',
          replace: 'status: reply.statusCode, sent: request.body,',
        },
      ],
      turnsRed: 'database and logs',
    },
    {
      name: 'the place is not bound into the seal',
      edits: [
        {
          file: 'src/lib/seal.ts',
          find: 'return sha256(keyId, ...place)',
          replace: 'return sha256(keyId, typeof place)',
        },
      ],
      turnsRed: 'swapped ciphertext',
    },
    {
      name: 'masking disabled',
      edits: [
        {
          file: 'src/core/integrations/integration-credentials.ts',
          find: 'return isSecret(name) ? mask(value) : value',
          replace: 'return value',
        },
      ],
      turnsRed: 'masked replies',
    },
    {
      name: 'malformed keys are looked up',
      edits: [
        {
          file: 'src/http/access/auth.ts',
          find: '?? apiKeyId(key)',
          replace: "?? apiKeyId(key) ?? '00000000-0000-7000-8000-000000000000'",
        },
      ],
      turnsRed: '401 flood',
    },
    {
      name: 'keys are remembered for a minute',
      edits: [
        { file: 'src/lib/remember-briefly.ts', find: 'const rememberMs = 2_000', replace: 'const rememberMs = 60_000' },
      ],
      turnsRed: 'revoked keys',
    },
    {
      name: 'reseal leaves out the stored replies',
      edits: [
        {
          file: 'src/core/operations/reseal-passes.ts',
          find: 'const rows = await lockStaleReplies(batch(db))',
          replace: 'const rows = (await lockStaleReplies(batch(db))).slice(0, 0)',
        },
      ],
      turnsRed: 'key rotation',
    },
  ],
})
