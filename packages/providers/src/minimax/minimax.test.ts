import { conform } from '../conform.ts'
import provider from './index.ts'

conform(provider, import.meta.url, {
  'fault-200-balance.json': 'upstream.credential',
  'fault-200-busy.json': 'upstream.busy',
  'fault-200-key.json': 'upstream.credential',
})
