// Which failed tests `npm test` runs a second time, alone, before it calls the run failed.

const failuresMax = 3

/** The ids of rules of money (R1 …) and of security (S1 …), with which titles of their tests begin. */
const rule = /\b[RS]\d{1,2}\b/

/**
 * Tells whether a suite whose tests failed as listed may run these files again. A machine that stands still for a second
 * breaks one of ten thousand tests now and then; what is broken fails twice. A rule of money or security that is broken
 * once is broken, and many failures are no accident: neither gets a second try.
 *
 * @param {{ title: string }[]} failures
 */
export const hasSecondTry = failures =>
  failures.length > 0 &&
  failures.length <= failuresMax &&
  !failures.some(({ title }) => rule.test(title))
