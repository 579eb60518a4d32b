const day = 86_400

/** A session ends after 7 days without a request, and at the latest 30 days after sign-in. */
export const idleSecondsMax = 7 * day
export const sessionSecondsMax = 30 * day
