import { nest } from '../nest.ts'

export default nest(
  import.meta.glob('./{oauth,passkeys,sessions,telegram-account,wechat}.json', {
    eager: true,
    import: 'default',
  }),
)
