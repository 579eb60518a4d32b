/** Classifies a vendor's error where the status alone does not. `fault` is a fault code of the contract. */
export type ErrorRule = { status?: number; match?: RegExp; fault: string; channel?: 'disable' }

/** An error as the vendor worded it. */
export type UpstreamErrorInfo = { status: number; message: string; type: string; code: string }

/** The first rule that matches. Undefined: the status alone classifies the error. */
export const findErrorRule = (
  rules: readonly ErrorRule[],
  { status, message, type, code }: UpstreamErrorInfo,
): ErrorRule | undefined =>
  rules.find(
    rule =>
      (rule.status === undefined || rule.status === status) &&
      (rule.match === undefined || rule.match.test(`${message} ${type} ${code}`)),
  )
