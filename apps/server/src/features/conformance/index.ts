import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConformanceRun, contract, ProviderProofs } from '@hub/contract'
import { appScoped } from '../../core/app-scoped.ts'
import { implement } from '../../core/implement.ts'

/** Written by `npm run conformance`; read once, since it does not change while the server runs. */
const read = (name: string): unknown =>
  JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8'))

const reply = appScoped(() => ({
  ...ConformanceRun.parse(read('grid.json')),
  providers: ProviderProofs.parse(read('providers.json')),
}))

export const conformance = implement(contract.conformance, { get: app => reply(app) })
