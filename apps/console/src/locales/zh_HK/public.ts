import { nest } from '../nest.ts'

export default nest(
  import.meta.glob(
    './{account,common,faults,footer,menu,models,notice,profile,rules,sign-in,status,usage}.json',
    {
      eager: true,
      import: 'default',
    },
  ),
)
