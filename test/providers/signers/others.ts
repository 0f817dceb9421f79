import type { Signer } from './signer.ts'

/** Of chat and push. */
export const otherSigners: Record<string, Signer> = {}
