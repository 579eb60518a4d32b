import type { contract } from '@hub/contract'
import type { Handlers } from '../../../core/implement.ts'
import { exportChannels } from './export.ts'
import { importChannels } from './import.ts'

/** Handlers that write channels to a file and create the channels of one. */
export const channelTransfer = {
  export: (app, _caller, input) => exportChannels(app, input),
  import: (app, caller, input) => importChannels(app, caller, input),
} satisfies Partial<Handlers<typeof contract.channels.endpoints>>
