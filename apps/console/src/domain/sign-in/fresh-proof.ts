import { type FreshProof, SecondFactorCode, type User } from '@hub/contract'
import { z } from 'zod'

const required = {
  current_password: z.string().min(1).max(128).meta({ secret: true }),
  code: SecondFactorCode,
}

/** The fields by which this user shows that they are the one at the keyboard: the password and the second factor, if any. */
export const proofFields = ({
  has_password,
  has_second_factor,
}: Pick<User, 'has_password' | 'has_second_factor'>) => {
  const mask = [has_password && 'current_password', has_second_factor && 'code']
  const fields = Object.entries(required).filter(([name]) => mask.includes(name))
  return Object.fromEntries(fields) as unknown as typeof FreshProof.shape
}

export const proofOverrides = {
  current_password: { as: 'password', autoComplete: 'current-password' },
  code: { autoComplete: 'one-time-code' },
} as const
