import type { Migration } from 'kysely/migration'
import type { SchemaKit } from '../engines/schema-kit.ts'
import { first } from './0001-first.ts'
import { prices } from './0002-prices.ts'
import { grants } from './0003-grants.ts'
import { limits } from './0004-limits.ts'
import { receipts } from './0005-receipts.ts'
import { balanceCurrency } from './0006-balance-currency.ts'
import { stored } from './0007-stored.ts'
import { kept } from './0008-kept.ts'

/** Numbered, and never edited once released: a mended mistake is another migration. */
export const migrations = (schema: SchemaKit): Record<string, Migration> => ({
  '0001-first': first(schema),
  '0002-prices': prices(schema),
  '0004-limits': limits(schema),
  '0003-grants': grants(schema),
  '0006-balance-currency': balanceCurrency,
  '0005-receipts': receipts(schema),
  '0007-stored': stored(schema),
  '0008-kept': kept(schema),
})
