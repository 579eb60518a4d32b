import type { TestKind } from '@hub/contract'

/** A test without a call says which list it read, or that the vendor would charge for any call. Empty after a call. */
export const readOnlyKey = (kind: TestKind): string =>
  kind === 'call' ? '' : `channels.testKinds.${kind}`
