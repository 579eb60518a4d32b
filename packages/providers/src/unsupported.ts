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
    // Shut on 30 July 2026: https://github.com/orgs/community/discussions/203602
    [49, 'github', 'GitHub Models', ''],
    [51, 'recraft', 'RecraftAI', 'https://external.api.recraft.ai'],
    [52, 'replicate', 'Replicate', 'https://api.replicate.com'],
    [53, 'kling', 'Kling', 'https://api.klingai.com'],
  ]

export const unsupportedProviders = unsupported.map(([type, id, name, baseUrl]) =>
  defineProvider({ type, id, name, baseUrl, credential: apiKey(), sign: unsigned, serves: {} }),
)
