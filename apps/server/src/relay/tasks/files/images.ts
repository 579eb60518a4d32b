import type { LinkedMedia } from '@hub/dialects'
import type { VideoRequest } from '@hub/providers'
import type { App } from '../../../core/app.ts'
import type { RequestContext } from '../../context.ts'
import { fetchLinkedFiles } from '../../upstream/linked-files.ts'

/** Replaces linked images of a request by data URIs. Throws `request.link` for one that cannot be fetched. */
export const withImageBytes = async <Request extends { video?: VideoRequest | undefined }>(
  app: App,
  context: RequestContext,
  request: Request,
): Promise<Request> => {
  const { video } = request
  if (!video) return request
  const links = new Map<string, LinkedMedia>()
  for (const url of [video.image, video.lastImage])
    if (url !== undefined && !url.startsWith('data:'))
      links.set(url, { type: 'media', mime: 'image/*', url })
  await fetchLinkedFiles(app, context, [...links.values()])
  const bytesOf = (image: string | undefined): string | undefined => {
    const link = image === undefined ? undefined : links.get(image)
    return link ? `data:${link.mime};base64,${link.base64}` : image
  }
  const images = { image: bytesOf(video.image), lastImage: bytesOf(video.lastImage) }
  return { ...request, video: { ...video, ...images } }
}
