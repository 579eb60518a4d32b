import { nest } from '../nest.ts'

export default nest(import.meta.glob('./*.json', { eager: true, import: 'default' }))
