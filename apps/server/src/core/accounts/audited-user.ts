import { asUser, type UserRow } from '../../db/queries/users.ts'

/** A user for the audit log, without the counters and times that the user's own calls change. */
export const auditedUser = (row: UserRow) => {
  const { used_quota, request_count, last_login_time, last_login_ip, ...user } = asUser(row)
  return user
}

/** Also without the balance, for writes that are not about it. */
export const auditedProfile = (row: UserRow): object => {
  const { quota, ...user } = auditedUser(row)
  return user
}
