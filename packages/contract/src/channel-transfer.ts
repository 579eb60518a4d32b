import { z } from 'zod'
import { ChannelFields, channelSecrets } from './channel-fields.ts'
import { ChannelFilter } from './channel-filter.ts'
import { CostList } from './costs.ts'
import { FileResponse, get, post } from './resource.ts'

/** The fields of a channel that its file never contains. */
export const unexportedFields = ['key', ...channelSecrets] as const

export const channelFileFormat = 'one-hub-channels'
export const channelFileVersion = 1
export const importedChannelsMax = 1000

/** A channel of a file: the fields of a new one. Secrets may be written into the file by hand. */
export const ImportedChannel = z.strictObject({
  ...ChannelFields.shape,
  status: z.union([z.literal(1), z.literal(2)]).default(1),
  /** The secrets that the exported channel had. It stays disabled until each of them is given. */
  secrets: z.array(z.enum(unexportedFields)).max(unexportedFields.length).default(['key']),
  /** The operator's costs of its calls. Null: the list that a channel has by itself. */
  costs: CostList.nullable().default(null),
  /** One key per line. */
  key: z.string().trim().max(100_000).default(''),
})
export type ImportedChannel = z.output<typeof ImportedChannel>

export const importProblemReasons = [
  'not_json',
  'not_export',
  'empty',
  'too_many',
  'required',
  'unknown_field',
  'wrong_type',
  'too_short',
  'too_long',
  'invalid',
  'type_unknown',
  'address_missing',
  'key_invalid',
  'option_invalid',
  'group_unknown',
] as const

export const ImportProblem = z.object({
  /** The line of the file, from 1. */
  line: z.number(),
  /** The name of the channel. Empty: it has none, or the whole file is meant. */
  name: z.string(),
  /** The field. Empty: the whole channel, or the whole file. */
  field: z.string(),
  reason: z.enum(importProblemReasons),
  /** A limit, a name or a format, without words of a language where possible. Never a secret. */
  detail: z.string(),
})
export type ImportProblem = z.output<typeof ImportProblem>

const PlannedChannel = z.object({
  line: z.number(),
  name: z.string(),
  type: z.number(),
  models: z.string(),
  group: z.string(),
  /** 2: it is created disabled. */
  status: z.union([z.literal(1), z.literal(2)]),
  /** The secrets that have to be entered after the import. */
  missing: z.array(z.enum(unexportedFields)),
})

export const ChannelImport = z.object({
  channels: z.array(PlannedChannel),
  /** Empty unless nothing can be imported. */
  problems: z.array(ImportProblem),
  /** The ids of the created channels. Empty after a dry run. */
  ids: z.array(z.number()),
})
export type ChannelImport = z.output<typeof ChannelImport>

export const channelTransfer = {
  export: get('/export', {
    access: 'admin',
    audit: true,
    input: ChannelFilter.omit({ key: true }).extend({
      /** Numbers with commas between them. Absent: all channels of the filter. */
      ids: z
        .string()
        .regex(/^\d{1,9}(,\d{1,9}){0,999}$/, 'must be at most 1,000 numbers with commas')
        .optional(),
    }),
    file: true,
    response: FileResponse,
    summary: 'Channels as a JSON file without keys and other secrets',
  }),
  import: post('/import', {
    access: 'admin',
    input: z.object({
      /** The text of the file. It may contain keys. */
      file: z.string().min(1).max(5_000_000).meta({ secret: true }),
      /** Only checks the file, and answers with what an import would create. */
      dry_run: z.boolean().default(false),
    }),
    response: ChannelImport,
    summary: 'Creates the channels of an exported file, all or none',
  }),
}
