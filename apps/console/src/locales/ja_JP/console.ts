import { nest } from '../nest.ts'

export default nest(
  import.meta.glob(
    [
      './*.json',
      '!./{account,audit,common,conformance,faults,footer,menu,models,notice,profile,rules,settings,sign-in,status,usage}.json',
    ],
    { eager: true, import: 'default' },
  ),
)
