import type { T } from '../../ui/index.ts'

/** Kinds with a word of their own; images are one for each quality and size. */
const named = [
  'web_search',
  'web_search_preview',
  'file_search',
  'code_interpreter',
  'image_generation',
]

const image = 'image_generation:'
const qualities = ['low', 'medium', 'high']
const sizes = ['1024x1024', '1024x1536', '1536x1024']

/** What is offered when somebody adds a tool; any other kind may be typed. */
export const usualTools = [
  ...named.slice(0, -1),
  ...qualities.flatMap(quality => sizes.map(size => `${image}${quality}-${size}`)),
]

export const toolName = (t: T, kind: string): string => {
  if (kind.startsWith(image))
    return `${t('prices.tool.image_generation')} ${kind.slice(image.length)}`
  return named.includes(kind) ? t(`prices.tool.${kind}`) : kind
}
