/** The pages that a visitor sees. */
export const publicPaths = ['/', '/price', '/about', '/login', '/register?aff=invite', '/nowhere']

/** The pages of the console, as an administrator sees them. */
export const consolePaths = [
  'dashboard',
  'playground',
  'token',
  'model_price',
  'conformance',
  'log',
  'profile',
  'topup',
  'redemption',
  'user',
  'channel',
  'user_group',
  'pricing',
  'simulator',
  'model_ownedby',
  'setting',
  'audit',
].map(each => `/panel/${each}`)
