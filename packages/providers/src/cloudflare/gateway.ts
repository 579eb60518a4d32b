import type { Gateway } from '../define.ts'

/**
 * Cloudflare AI Gateway. Its address already contains the first part of the vendor's path:
 * https://developers.cloudflare.com/ai-gateway/get-started
 */
export const gateway: Gateway = {
  origin: 'https://gateway.ai.cloudflare.com',
  rewritePath: path => path.replace(/^(\/v1|\/openai\/deployments)(?=\/)/, ''),
}
