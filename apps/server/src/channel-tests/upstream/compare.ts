import { type Channel, servesModel, upstreamModelOf } from '../../relay/channels/channel.ts'

/** `removed`: names that the vendor does not list. It may serve them all the same. */
export type ModelChange = { added: string[]; removed: string[] }

type Compared = Pick<Channel, 'models' | 'mapping'> & {
  /** Names that are neither added nor removed; one may end in `*`. */
  ignored: readonly string[]
}

/** A name that the list of a channel can contain. Others, such as one with a comma, would become something else in it. */
const isModelName = (name: string): boolean =>
  name === name.trim() && /^[^*,\p{Cc}]{1,200}$/u.test(name)

/**
 * Compares the channel's models with the vendor's. A mapped model is present if its target is, and an offered name is
 * known if a pattern covers it or a model is mapped to it. A pattern itself never vanishes.
 */
export const compareModels = (
  { models, mapping, ignored }: Compared,
  offered: readonly string[],
): ModelChange => {
  const names = models.filter(each => !each.endsWith('*'))
  const targets = new Set(names.map(each => upstreamModelOf({ mapping }, each)))
  const present = new Set(offered)
  const isIgnored = (name: string) => servesModel({ models: ignored }, name)
  const isKnown = (name: string) => targets.has(name) || servesModel({ models }, name)
  // A mapping would send calls of that name to another model.
  const isMappedAway = (name: string) => upstreamModelOf({ mapping }, name) !== name
  return {
    added: offered.filter(
      each => isModelName(each) && !isKnown(each) && !isMappedAway(each) && !isIgnored(each),
    ),
    removed: names.filter(
      each => !present.has(upstreamModelOf({ mapping }, each)) && !isIgnored(each),
    ),
  }
}
