/**
 * For a test that asserts time or memory: the machine may have been busy elsewhere for a moment, so the promise is broken
 * when three tries in a row break it. Never for a test of money alone: a race that shows once is a fault.
 */
export const retryTiming = { retry: 2 }
