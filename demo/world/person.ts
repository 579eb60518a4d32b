export type Style = 'agent' | 'app' | 'chat'

export type DemoPerson = {
  username: string
  name: string
  /** The part before is the user name. */
  mail: string
  group: 'default' | 'team' | 'vip' | 'trial'
  style: Style
  /** The share of the calls. */
  weight: number
  /** How many days ago the account was made. */
  joinedDaysAgo: number
  invitedBy?: string
  keys: readonly string[]
  /** USD of a usual top-up. */
  topUp: number
}
