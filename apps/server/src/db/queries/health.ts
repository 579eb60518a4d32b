import { sql } from 'kysely'
import type { Database } from '../index.ts'

export const isAnswering = async (db: Database): Promise<boolean> => {
  try {
    await sql`select 1`.execute(db)
    return true
  } catch {
    return false
  }
}
