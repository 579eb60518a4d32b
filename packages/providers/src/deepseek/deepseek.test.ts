import { conform } from '../conform.ts'
import provider from './index.ts'

conform(provider, import.meta.url, { 'fault-402.json': 'upstream.funds' })
