import { writeFileSync } from 'node:fs'
import { reasonsDocument, reasonsFile } from './reasons.ts'
import { makeProviderTable, providersData, providersDocument, providersFile } from './table.ts'

writeFileSync(providersFile, providersDocument())
writeFileSync(reasonsFile, reasonsDocument())
writeFileSync(providersData, `${JSON.stringify(makeProviderTable(), null, 2)}\n`)
