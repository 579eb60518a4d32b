import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import Fastify, { type FastifyInstance } from 'fastify'

/**
 * The page of the OpenAPI document, on a server of its own that never listens: the packages are loaded only when
 * somebody opens the page.
 */
export const makeOpenApiPage = async (
  document: () => Record<string, unknown>,
): Promise<FastifyInstance> => {
  const page = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
  await page.register(swagger, {
    mode: 'static',
    specification: { document: { openapi: '3.1.0' } as never },
  })
  await page.register(swaggerUi, {
    routePrefix: '/api/docs',
    transformSpecification: document,
    transformSpecificationClone: false,
    uiConfig: { deepLinking: true, docExpansion: 'none', tryItOutEnabled: false },
  })
  return page
}
