import { writeFileSync } from 'node:fs'
import { makeProviderTable, providersData, providersDocument, providersFile } from './table.ts'

writeFileSync(providersFile, providersDocument())
writeFileSync(providersData, `${JSON.stringify(makeProviderTable(), null, 2)}\n`)
