import type { FaultCode } from './faults.ts'

/**
 * The rules of this release that refuse what the one before let pass, or change what callers see, with the fault code of the
 * refusals. What each says stands in the console's texts and, in the same words, in the changelog.
 */
export const newRules = {
  objects: 'stored.unknown',
  links: 'request.link',
  steering: 'request.steering',
  price_fields: 'request.price_field',
  held: 'quota.held',
  unpriced: 'price.unknown',
  empty: 'upstream.empty',
  limits: '',
  left: '',
  debts: '',
  invitations: '',
  headers: '',
  models: '',
  passwords: '',
} as const satisfies Record<string, FaultCode | ''>
export type NewRule = keyof typeof newRules
