import { nest } from '../nest.ts'

export default nest(
  import.meta.glob('./{dashboard,prices,tokens}.json', { eager: true, import: 'default' }),
)
