import { apiKey, defineProvider, unsigned } from './define.ts'

/**
 * Channel types of One Hub that this gateway cannot call, because they are not implemented or the vendor has shut its
 * service. They are listed so that stored channels keep their name.
 */
const unsupported: readonly (readonly [type: number, id: string, name: string, baseUrl: string])[] =
  [
    [11, 'palm', 'Google PaLM2', 'https://generativelanguage.googleapis.com'],
    [23, 'tencent', 'Tencent Hunyuan, old', 'https://hunyuan.cloud.tencent.com'],
    [24, 'azure-speech', 'Azure Speech', ''],
    [34, 'midjourney', 'Midjourney', ''],
    [37, 'stability', 'Stability AI', 'https://api.stability.ai/v2beta'],
    [38, 'coze', 'Coze', 'https://api.coze.com/open_api'],
    [41, 'suno', 'Suno', ''],
    [49, 'github', 'GitHub Models', ''],
    [51, 'recraft', 'RecraftAI', 'https://external.api.recraft.ai'],
    [52, 'replicate', 'Replicate', 'https://api.replicate.com'],
    [53, 'kling', 'Kling', 'https://api.klingai.com'],
  ]

/** By channel type. */
const shutdownNotices: Readonly<Record<number, string>> = {
  11: 'Google decommissioned the PaLM API on 15 August 2024: https://ai.google.dev/palm_docs/deprecation. Use a channel of type 25.',
  23: 'Tencent shut Hunyuan down on 30 September 2026: https://cloud.tencent.com/document/product/1729/131925. Use a channel of type 40 with a key of TokenHub.',
  49: 'GitHub shut GitHub Models down on 30 July 2026: https://github.com/orgs/community/discussions/203602.',
}

export const unsupportedProviders = unsupported.map(([type, id, name, baseUrl]) => {
  const shutdownNotice = shutdownNotices[type]
  return defineProvider({
    ...{ type, id, name, baseUrl, credential: apiKey(), sign: unsigned, serves: {} },
    ...(shutdownNotice && { shutdownNotice }),
  })
})
