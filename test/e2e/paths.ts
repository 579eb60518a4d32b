/** The pages that a visitor sees. */
export const publicPaths = [
  '/',
  '/price',
  '/about',
  '/jump',
  '/login',
  '/register?aff=invite',
  '/nowhere',
]

/** The pages of the console, as an administrator sees them. */
export const consolePaths = [
  'dashboard',
  'dashboard?view=mine',
  'playground',
  'token',
  'model_price',
  'conformance',
  'log',
  'midjourney',
  'task',
  'profile',
  'topup',
  'redemption',
  'payment',
  'payment#order',
  'invoice',
  'user',
  'channel',
  'user_group',
  'pricing',
  'simulator',
  'model_ownedby',
  'telegram',
  'setting',
  'oauth_provider',
  'audit',
].map(each => `/panel/${each}`)
