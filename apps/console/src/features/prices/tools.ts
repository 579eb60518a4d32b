import type { T } from '../../ui/index.ts'

/** Tools with a translated name; image generation has one kind per quality and size. */
const namedTools = [
  'web_search',
  'web_search_preview',
  'file_search',
  'code_interpreter',
  'image_generation',
]

const image = 'image_generation:'
const qualities = ['low', 'medium', 'high']
const sizes = ['1024x1024', '1024x1536', '1536x1024']

/** The suggestions when a tool is added; any other kind can be typed. */
export const commonTools = [
  ...namedTools.slice(0, -1),
  ...qualities.flatMap(quality => sizes.map(size => `${image}${quality}-${size}`)),
]

export const toolName = (t: T, kind: string): string => {
  if (kind.startsWith(image))
    return `${t('prices.tool.image_generation')} ${kind.slice(image.length)}`
  return namedTools.includes(kind) ? t(`prices.tool.${kind}`) : kind
}
