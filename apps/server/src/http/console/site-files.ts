import { Fault, publicPages } from '@hub/contract'
import type { FastifyInstance } from 'fastify'
import type { App } from '../../core/app.ts'

/** Nothing below is for a search engine. */
const disallowed = ['/api/', '/panel', '/v1', '/v1beta', '/oauth/', '/user/', '/jump', '/login']

/** Files that every visitor's browser or crawler asks for, made of the settings. */
export const registerSiteFiles = (app: App, scope: FastifyInstance) => {
  scope.get('/robots.txt', async (_request, reply) => {
    const origin = siteOrigin(app)
    const lines = [
      'User-agent: *',
      ...disallowed.map(path => `Disallow: ${path}`),
      ...(origin === undefined ? [] : ['', `Sitemap: ${origin}/sitemap.xml`]),
    ]
    return reply
      .header('cache-control', cacheControl)
      .type('text/plain; charset=utf-8')
      .send(`${lines.join('\n')}\n`)
  })
  // The addresses of a sitemap are absolute: https://www.sitemaps.org/protocol.html
  scope.get('/sitemap.xml', async (_request, reply) => {
    const origin = siteOrigin(app)
    if (origin === undefined) throw new Fault('route.unknown')
    const { PublicPricesEnabled } = app.settings().site
    const pages = publicPages.filter(path => path !== '/price' || PublicPricesEnabled)
    const entries = pages.map(path => `<url><loc>${escapeXml(origin + path)}</loc></url>`)
    return reply
      .header('cache-control', cacheControl)
      .type('application/xml; charset=utf-8')
      .send(
        `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('')}</urlset>\n`,
      )
  })
  scope.get('/manifest.webmanifest', async (_request, reply) =>
    reply
      .header('cache-control', cacheControl)
      .type('application/manifest+json; charset=utf-8')
      .send(JSON.stringify(manifestOf(app.settings().site.SystemName))),
  )
}

const cacheControl = 'public, max-age=3600'

/** Undefined: the operator has not entered the address yet, so that only this machine would reach it. */
const siteOrigin = (app: App): string | undefined => {
  const { origin, hostname } = new URL(app.settings().site.ServerAddress || 'http://localhost')
  return /^(localhost|127\.|\[::1\])/.test(hostname) ? undefined : origin
}

/** https://www.w3.org/TR/appmanifest/ */
const manifestOf = (name: string) => ({
  name,
  short_name: name,
  id: '/panel',
  start_url: '/panel',
  scope: '/',
  display: 'standalone',
  background_color: '#ffffff',
  theme_color: '#0b7a5a',
  icons: [
    { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
    { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
    { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
  ],
})

const escapeXml = (text: string): string =>
  text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
