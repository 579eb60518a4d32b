import type { lowestRoles } from './access-table.ts'

type Role = keyof typeof lowestRoles
type Names = string
/** A list or a row, and the names that it has next to columns. */
type Read = readonly [lowestRole: Role, path: string, computed: Names]

export type TableColumns = {
  /** Column names by the lowest role that sees them in a row of its own, or of the site. */
  columns: Partial<Record<Role | 'none', Names>>
  /** The names of columns in answers, where they differ. */
  sentAs?: Readonly<Record<string, string>>
  reads?: readonly Read[]
}

export const words = (names: Names): string[] => names.split(/\s+/).filter(Boolean)
