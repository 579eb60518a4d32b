import { faults } from '@hub/contract'

/** Replaced by its value in the build, like `endpoints.ts`. */
export const faultCodes: readonly string[] = Object.keys(faults)
