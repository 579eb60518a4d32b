import { openaiImages } from '@hub/dialects'
import type { Route, RouteOperation } from '../../relay/formats/route.ts'
import { midjourneyFormat } from './midjourney/format.ts'
import { sunoFormat } from './suno/format.ts'

const video = (method: Route['method'], path: string, operation: RouteOperation): Route => ({
  ...{ method, path, operation },
  dialect: openaiImages,
})

const midjourney = (method: Route['method'], path: string, operation: RouteOperation): Route[] =>
  // The second form names the speed.
  [`/mj${path}`, `/:mode/mj${path}`].map(each => ({
    ...{ method, path: each, operation, dialect: midjourneyFormat },
  }))

const suno = (method: Route['method'], path: string, operation: RouteOperation): Route => ({
  ...{ method, path, operation },
  dialect: sunoFormat,
})

/** Videos, music and images that vendors make as tasks. */
export const taskRoutes: readonly Route[] = [
  video('POST', '/v1/videos', 'video-create'),
  video('GET', '/v1/videos', 'video-list'),
  video('GET', '/v1/videos/:id', 'video-show'),
  video('DELETE', '/v1/videos/:id', 'video-delete'),
  video('GET', '/v1/videos/:id/content', 'video-content'),
  video('POST', '/v1/videos/:id/remix', 'video-remix'),
  video('POST', '/v1/video/generations', 'generation-create'),
  video('GET', '/v1/video/generations/:id', 'generation-show'),
  ...['text2video', 'image2video'].flatMap(action => [
    video('POST', `/kling/v1/videos/${action}`, 'kling-create'),
    video('GET', `/kling/v1/videos/${action}/:id`, 'kling-show'),
  ]),
  ...midjourney('POST', '/submit/:action', 'midjourney-submit'),
  ...midjourney('POST', '/insight-face/swap', 'midjourney-submit'),
  ...midjourney('GET', '/task/:id/fetch', 'midjourney-show'),
  ...midjourney('GET', '/task/:id/image-seed', 'midjourney-seed'),
  ...midjourney('POST', '/task/list-by-condition', 'midjourney-list'),
  ...midjourney('GET', '/image/:id', 'midjourney-image'),
  ...midjourney('POST', '/notify', 'midjourney-notify'),
  suno('POST', '/suno/submit/:action', 'suno-create'),
  suno('POST', '/suno/fetch', 'suno-list'),
  suno('GET', '/suno/fetch/:id', 'suno-show'),
]
