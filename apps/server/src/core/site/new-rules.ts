/** The option with the second in which this release came to a site that was used before; it is gone once its rules were read. */
export const newRulesSince = 'NewRulesSince'
