import { conform } from '../conform.ts'
import jina from './index.ts'

conform(jina, import.meta.url, { 'fault-402-balance.json': 'upstream.funds' })
