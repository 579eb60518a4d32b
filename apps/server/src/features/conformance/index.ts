import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Conformance, contract } from '@hub/contract'
import { appScoped } from '../../core/app-scoped.ts'
import { implement } from '../../core/implement.ts'

/** Written by `npm run conformance`; read once, since it does not change while the server runs. */
const file = join(import.meta.dirname, 'grid.json')

const grid = appScoped(() => Conformance.parse(JSON.parse(readFileSync(file, 'utf8'))))

export const conformance = implement(contract.conformance, { get: app => grid(app) })
