import { nest } from '../nest.ts'

export default nest(
  import.meta.glob('./{audit,conformance,settings}.json', { eager: true, import: 'default' }),
)
