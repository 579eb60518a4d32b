/** Pages for everybody, without a form and without data of a user: search engines and visitor counters see these only. */
export const publicPages = ['/', '/price', '/about'] as const

export const isPublicPage = (path: string): boolean =>
  (publicPages as readonly string[]).includes(path.replace(/(?<=.)\/+$/, ''))
