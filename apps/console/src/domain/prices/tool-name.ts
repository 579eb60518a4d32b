import type { T } from '../../ui/index.ts'

/** Tools with a translated name; image generation has one kind per quality and size. */
const namedTools = [
  'web_search',
  'web_search_preview',
  'file_search',
  'code_interpreter',
  'cache_storage',
  'image_generation',
]

const image = 'image_generation:'
const qualities = ['low', 'medium', 'high']
const sizes = ['1024x1024', '1024x1536', '1536x1024']
const resolutions = ['360p', '480p', '540p', '720p', '1080p', '4k']
const modes = ['std', 'pro']

/** The suggestions when a kind is added; any other can be typed. */
export const commonTools = [
  ...namedTools,
  ...qualities.flatMap(quality => sizes.map(size => `${image}${quality}-${size}`)),
  'second',
  ...[...resolutions, ...modes].map(each => `second_${each}`),
  ...modes.map(each => `second_${each}_audio`),
]

/** A second of a video, by its resolution or mode and its sound: `second_720p`, `second_pro_audio`, `second_silent`. */
const secondKind = /^second(?:_(?!(?:audio|silent)$)(.+?))?(?:_(audio|silent))?$/

export const isSecond = (kind: string): boolean => secondKind.test(kind)

export const toolName = (t: T, kind: string): string => {
  if (kind.startsWith(image))
    return `${t('prices.tool.image_generation')} ${kind.slice(image.length)}`
  const second = secondKind.exec(kind)
  if (second) return secondName(t, second[1], second[2])
  return namedTools.includes(kind) ? t(`prices.tool.${kind}`) : kind
}

const secondName = (t: T, dimension: string | undefined, sound: string | undefined): string =>
  [
    t('prices.tool.second'),
    ...(dimension === undefined ? [] : [dimensionName(t, dimension)]),
    ...(sound === undefined ? [] : [t(`prices.tool.sounds.${sound}`)]),
  ].join(' · ')

const dimensionName = (t: T, dimension: string): string =>
  modes.includes(dimension) ? t(`prices.tool.modes.${dimension}`) : dimension.replaceAll('_', ' ')
