import { type PassedOver, passedOverMax, type RouteNote } from '@hub/contract'
import type { App } from '../../core/app.ts'
import type { Channel } from '../channels/channel.ts'
import type { CallContext } from '../context.ts'
import { obstacleOf, type PickCriteria } from './pick.ts'

export type StopReason = NonNullable<RouteNote['stop']>

/**
 * Notes the channel that a call asks next. The channels that were passed over are noted at the first choice that met
 * one, because their reasons pass.
 */
export const noteChoice = (
  app: App,
  context: CallContext,
  criteria: PickCriteria,
  chosen: Channel,
  startedAt = app.monotonic(),
): void => {
  const { size, tiers } = context.target.candidates
  const isFirst = context.record.failedAttempts === undefined
  context.record.route ??= { candidates: size }
  const note = context.record.route
  note.priority = chosen.priority
  note.drawn_from = tiers.find(
    each => each.channels[0]?.priority === chosen.priority,
  )?.channels.length
  if (criteria.preferred === chosen) note.warm = true
  else delete note.warm
  if (!isFirst) note.after = Math.round(startedAt - context.startedAt)
  if (!criteria.hasPassedOver || note.passed_over) return
  const tried = triedIn(context)
  const entries = passedOverIn(context, channel =>
    channel.priority < chosen.priority || channel === chosen || tried.has(channel.id)
      ? undefined
      : entryOf(app, channel, criteria),
  )
  // Counting the others would examine every channel in each call that passes one over.
  note.passed_over = []
  for (const each of entries) {
    note.passed_over.push(each)
    if (note.passed_over.length === passedOverMax) break
  }
}

/** Notes why a call that failed tried no further channel, and the reason for every channel that it never tried. */
export const noteStop = (
  app: App,
  context: CallContext,
  criteria: PickCriteria,
  stop: StopReason,
): void => {
  const { candidates } = context.target
  if (candidates.size === 1 && context.record.failedAttempts && !context.virtual) return
  context.record.route ??= { candidates: candidates.size }
  const note = context.record.route
  note.stop = stop
  const tried = triedIn(context)
  const before = new Map(note.passed_over?.map(each => [each.channel_id, each]))
  const all = [
    ...passedOverIn(context, channel => {
      if (tried.has(channel.id)) return undefined
      const isLower = note.priority !== undefined && channel.priority < note.priority
      return (
        before.get(channel.id) ??
        entryOf(app, channel, criteria) ?? {
          ...namesOf(channel),
          reason: isLower ? 'lower_priority' : 'not_drawn',
        }
      )
    }),
  ]
  note.passed_over = all.slice(0, passedOverMax)
  if (all.length > passedOverMax) note.more = all.length - passedOverMax
}

const triedIn = ({ record: { failedAttempts = [] } }: CallContext): ReadonlySet<number> =>
  new Set(failedAttempts.map(each => each.channel_id))

const namesOf = ({ id, name, priority }: Channel) => ({ channel_id: id, channel: name, priority })

/** The entry of a channel that the call cannot use. */
const entryOf = (app: App, channel: Channel, criteria: PickCriteria): PassedOver | undefined => {
  const obstacle = obstacleOf(channel, criteria)
  if (obstacle) return { ...namesOf(channel), reason: obstacle }
  const end = criteria.cooldownEnd(channel, criteria)
  if (end === 0)
    return criteria.isProbed?.(channel, criteria)
      ? { ...namesOf(channel), reason: 'probed' }
      : undefined
  const milliseconds = Math.round(end - app.monotonic())
  return { ...namesOf(channel), reason: 'cooling_down', milliseconds }
}

function* passedOverIn(
  { target }: CallContext,
  entry: (channel: Channel) => PassedOver | undefined,
): Generator<PassedOver, void, undefined> {
  for (const { channels } of target.candidates.tiers)
    for (const channel of channels) {
      const passedOver = entry(channel)
      if (passedOver) yield passedOver
    }
}
