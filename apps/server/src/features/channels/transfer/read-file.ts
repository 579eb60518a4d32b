import {
  type ChannelImport,
  channelFileFormat,
  channelFileVersion,
  Fault,
  type FaultCode,
  ImportedChannel,
  type ImportProblem,
  importedChannelsMax,
} from '@hub/contract'
import type { z } from 'zod'
import { listOf } from '../../../relay/channels/channel.ts'
import { parseKeys } from '../channel.ts'
import { requireCostBase } from '../costs/store.ts'
import { requireValid } from '../create.ts'
import { jsonLines } from './json-lines.ts'

type Reason = ImportProblem['reason']
type Lines = ReadonlyMap<string, number>
type FieldProblem = Pick<ImportProblem, 'field' | 'reason'> & { detail?: string }

export type ImportEntry = {
  planned: ChannelImport['channels'][number]
  channel: ImportedChannel
  keys: string[]
}
type ReadFile = { entries: ImportEntry[]; problems: ImportProblem[] }

/** Reads a file of channels. Each problem names its line and its field. */
export const readChannelFile = (text: string, groups: ReadonlySet<string>): ReadFile => {
  const found = jsonLines(text)
  if ('errorLine' in found) return fileProblem(found.errorLine, 'not_json')
  const file: unknown = JSON.parse(text)
  const { format, version, channels } = (file ?? {}) as Record<string, unknown>
  const isExport = format === channelFileFormat && version === channelFileVersion
  if (!isExport || !Array.isArray(channels)) return fileProblem(1, 'not_export')
  if (channels.length === 0) return fileProblem(1, 'empty')
  if (channels.length > importedChannelsMax)
    return fileProblem(1, 'too_many', String(importedChannelsMax))
  const read = channels.map((each, at) => readEntry(each, `channels.${at}`, found.lines, groups))
  return {
    entries: read.flatMap(each => each.entries),
    problems: read.flatMap(each => each.problems),
  }
}

const fileProblem = (line: number, reason: Reason, detail = ''): ReadFile => ({
  entries: [],
  problems: [{ line, name: '', field: '', reason, detail }],
})

const readEntry = (
  given: unknown,
  path: string,
  lines: Lines,
  groups: ReadonlySet<string>,
): ReadFile => {
  const line = lines.get(path) ?? 1
  const read = ImportedChannel.safeParse(given, { reportInput: true })
  const found = read.success
    ? problemsOf(read.data, groups)
    : read.error.issues.flatMap(problemsOfIssue)
  if (read.success && found.length === 0)
    return { entries: [entryOf(read.data, line)], problems: [] }
  const named = (given as { name?: unknown } | null)?.name
  const name = typeof named === 'string' ? named.slice(0, 100) : ''
  const problems = found.map(({ field, reason, detail = '' }) => ({
    ...{ line: lines.get(`${path}.${field}`) ?? line, name, field, reason, detail },
  }))
  return { entries: [], problems }
}

const entryOf = (channel: ImportedChannel, line: number): ImportEntry => {
  const { name, type, models, group, secrets } = channel
  const keys = parseKeys(channel.key)
  const needed = [...new Set(['key' as const, ...secrets])]
  const missing = needed.filter(each => channel[each] === '')
  const status = missing.length > 0 ? 2 : channel.status
  return { planned: { line, name, type, models, group, status, missing }, channel, keys }
}

const problemsOf = (channel: ImportedChannel, groups: ReadonlySet<string>): FieldProblem[] => {
  const unknown = listOf(channel.group).find(each => !groups.has(each))
  return [
    ...(unknown === undefined
      ? []
      : [{ field: 'group', reason: 'group_unknown' as const, detail: unknown }]),
    ...refusalsOf(() => requireValid(channel, parseKeys(channel.key))),
    ...refusalsOf(() => requireCostBase('costs', channel.type, channel.costs)),
  ]
}

const reasonByFault: Partial<Record<FaultCode, [field: string, reason: Reason]>> = {
  'provider.unknown': ['type', 'type_unknown'],
  'channel.key_invalid': ['key', 'key_invalid'],
  'channel.option_invalid': ['plugin', 'option_invalid'],
}

/** The checks of a new channel throw; their hints name the field and contain no secret. */
const refusalsOf = (check: () => void): FieldProblem[] => {
  try {
    check()
    return []
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const known =
      reasonByFault[error.code] ?? invalidFields[/`(\w+)`/.exec(error.message)?.[1] ?? '']
    if (!known) throw error
    const [field, reason] = known
    return [{ field, reason, detail: /`[^`]*: (.*)$/.exec(error.message)?.[1] ?? '' }]
  }
}

/** The fields that the fault `request.invalid` names. */
const invalidFields: Record<string, [field: string, reason: Reason]> = {
  base_url: ['base_url', 'address_missing'],
  key: ['key', 'too_long'],
  other: ['other', 'option_invalid'],
  costs: ['costs', 'option_invalid'],
}

const problemsOfIssue = (issue: z.core.$ZodIssue): FieldProblem[] => {
  const field = String(issue.path[0] ?? '')
  switch (issue.code) {
    case 'unrecognized_keys':
      if (issue.path.length > 0) return [{ field, reason: 'invalid' }]
      return issue.keys.map(key => ({ field: key.slice(0, 100), reason: 'unknown_field' }))
    case 'invalid_type':
      return [{ field, reason: issue.input === undefined ? 'required' : 'wrong_type' }]
    case 'too_small':
      return [{ field, reason: 'too_short', detail: String(issue.minimum) }]
    case 'too_big':
      return [{ field, reason: 'too_long', detail: String(issue.maximum) }]
    default:
      return [{ field, reason: 'invalid', detail: issue.path.slice(1).join('.') }]
  }
}
