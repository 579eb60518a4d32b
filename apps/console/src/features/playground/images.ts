import type { CallImage } from '../../domain/calls/index.ts'

/** `id` tells pictures of one question apart, also equal ones. */
export type AttachedImage = CallImage & { id: number; name: string }

/** The formats that all dialects take. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']
export const imagesMax = 4
/** Anthropic takes 5 MB of base64, which is a third larger than the file. */
export const imageMegabytesMax = 3.5

export type ImageRefusal = 'imageType' | 'imageSize' | 'imageCount'

/** Reads chosen files, up to the bounds; names why others were refused. */
export const readImages = async (
  files: readonly File[],
  attached: number,
): Promise<{ images: AttachedImage[]; refusals: ImageRefusal[] }> => {
  const refusals = new Set<ImageRefusal>()
  const taken = files.filter(file => {
    const isType = imageTypes.includes(file.type)
    const isSmall = file.size <= imageMegabytesMax * 1_000_000
    if (!isType) refusals.add('imageType')
    else if (!isSmall) refusals.add('imageSize')
    return isType && isSmall
  })
  const free = imagesMax - attached
  if (taken.length > free) refusals.add('imageCount')
  const images = await Promise.all(
    taken.slice(0, free).map(async file => ({
      ...{ id: Math.random(), name: file.name, type: file.type },
      data: await base64Of(file),
    })),
  )
  return { images, refusals: [...refusals] }
}

const base64Of = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
