import { z } from 'zod'
import { defineNotifier } from './notifier.ts'

/** Sends e-mail by the server of the settings. */
export const email = defineNotifier({
  id: 'email',
  name: 'E-mail',
  config: z.object({
    /** Empty: the address of the account. Only targets of administrators have another. */
    address: z.union([z.literal(''), z.email().max(254)]).default(''),
  }),
  spacingMs: 0,
  destination: () => '',
  send: (config, message, network) => network.sendEmail(config.address, message),
})
