const day = 86_400

/** A session ends after so long without a request, and in any case so long after signing in. */
export const idleSecondsMax = 7 * day
export const sessionSecondsMax = 30 * day
