import type { Json } from '@hub/dialects'
import type { OperationTranslation } from '../operation-translation.ts'

/** One image by its address: https://docs.bigmodel.cn/api-reference/模型-api/图像生成 */
export const images: OperationTranslation = {
  encodeRequest: request => {
    const { n, style, user, ...body } = request as Json
    if (n !== undefined && n !== null && n !== 1)
      return { refused: "'n' must be 1 for this model." }
    return { body, dropped: [...(style ? ['style'] : []), ...(user ? ['user'] : [])] }
  },
}
