import { Fault } from '@hub/contract'
import { klingHandlers } from '../../tasks/formats/kling/handlers.ts'
import { midjourneyHandlers } from '../../tasks/formats/midjourney/handlers.ts'
import { sunoHandlers } from '../../tasks/formats/suno/handlers.ts'
import { videoHandlers } from '../../tasks/formats/video/handlers.ts'

export const taskHandlers = {
  ...videoHandlers,
  ...klingHandlers,
  ...midjourneyHandlers,
  ...sunoHandlers,
}

/** Routes that are refused with a reason of their own. */
export const refusedHandlers = {
  // https://developers.openai.com/api/docs/assistants/migration
  retired: async (): Promise<void> => {
    throw new Fault('operation.retired', {
      hint: 'OpenAI ended assistants and threads on 2026-08-26. Use /v1/responses.',
    })
  },
  unpriced: async (): Promise<void> => {
    throw new Fault('operation.unpriced', {
      hint: 'Training is not sold here, and OpenAI starts no new jobs after 6 January 2027: https://developers.openai.com/api/docs/deprecations.',
    })
  },
}
