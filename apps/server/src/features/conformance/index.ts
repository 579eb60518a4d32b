import { readFileSync } from 'node:fs'
import { ConformanceRun, contract, ProviderProofs } from '@hub/contract'
import { appScoped } from '../../core/app-scoped.ts'
import { implement } from '../../core/implement.ts'

/** Written by `npm run conformance`; read once, since it does not change while the server runs. */
const read = (file: URL): unknown => JSON.parse(readFileSync(file, 'utf8'))

const response = appScoped(() => ({
  ...ConformanceRun.parse(read(new URL('./grid.json', import.meta.url))),
  providers: ProviderProofs.parse(read(new URL('./providers.json', import.meta.url))),
}))

export const conformance = implement(contract.conformance, { get: app => response(app) })
