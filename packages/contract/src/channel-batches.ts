import { z } from 'zod'
import { ChannelFields } from './channel-fields.ts'
import { put } from './resource.ts'

const Ids = z.array(z.number().int().positive()).min(1).max(1000)
const Action = z.enum(['add', 'remove', 'replace'])

/** Why a change of many channels cannot be made in one of them. */
export const batchRefusalReasons = [
  'missing',
  'last_model',
  'last_group',
  'too_long',
  'no_api_version',
  'no_key',
] as const

/** One channel that refused. Then none of the channels is changed. */
export const BatchRefusal = z.object({
  id: z.number(),
  /** Empty: there is no such channel. */
  name: z.string(),
  reason: z.enum(batchRefusalReasons),
})
export type BatchRefusal = z.output<typeof BatchRefusal>

/** Changes of chosen channels: all of them are changed, or none. The first two are as in One Hub. */
export const channelBatches = {
  setApiVersions: put('/batch/azure_api', {
    access: 'admin',
    input: z.object({ ids: Ids, value: z.string().trim().min(1).max(100) }),
    response: z.number(),
    summary: 'Sets the API version of Azure channels; returns the number of changed ones',
  }),
  removeModel: put('/batch/del_model', {
    access: 'admin',
    input: z.object({ ids: Ids, value: z.string().trim().min(1).max(200) }),
    response: z.number(),
    summary: 'Removes one model from channels; returns the number of changed ones',
  }),
  setModels: put('/batch/models', {
    access: 'admin',
    input: z.object({ ids: Ids, action: Action, models: ChannelFields.shape.models }),
    response: z.number(),
    summary: 'Adds, removes or replaces models of channels; returns the number of changed ones',
  }),
  setGroups: put('/batch/groups', {
    access: 'admin',
    input: z.object({ ids: Ids, action: Action, group: z.string().min(1).max(1000) }),
    response: z.number(),
    summary: 'Adds, removes or replaces groups of channels; returns the number of changed ones',
  }),
  setStatuses: put('/batch/status', {
    access: 'admin',
    input: z.object({ ids: Ids, status: z.union([z.literal(1), z.literal(2)]) }),
    response: z.number(),
    summary: 'Enables (1) or disables (2) channels; returns the number of changed ones',
  }),
}
