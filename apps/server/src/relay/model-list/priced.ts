import type { App } from '../../core/app.ts'
import type { Channel } from '../channels/channel.ts'
import { hasPrice } from './callable.ts'

const isPattern = (name: string): boolean => name.endsWith('*')
const prefixOf = (pattern: string): string => pattern.slice(0, -1)

/** The channel serves a model that can be charged in one of these groups. `names` are those of all stored prices. */
export const hasPricedModel = (
  app: App,
  channel: Channel,
  groups: readonly string[],
  names: readonly string[],
): boolean => {
  const served = channel.groups.filter(each => groups.includes(each))
  const examples = channel.models.flatMap(model =>
    isPattern(model) ? namesFor(model, names) : [model],
  )
  return served.some(group => examples.some(model => hasPrice(app, channel, group, model)))
}

/** Names that a pattern covers. A price with a shorter pattern is found by the prefix itself. */
const namesFor = (pattern: string, names: readonly string[]): string[] => {
  const prefix = prefixOf(pattern)
  const covered = names.filter(each => each.startsWith(prefix))
  return [prefix, ...covered.map(each => (isPattern(each) ? prefixOf(each) : each))]
}

/** The models of the channel that cannot be charged in any of these groups. A pattern names none. */
export const unpricedModels = (app: App, channel: Channel, groups: readonly string[]): string[] => {
  const served = channel.groups.filter(each => groups.includes(each))
  return channel.models.filter(
    model => !isPattern(model) && !served.some(group => hasPrice(app, channel, group, model)),
  )
}
