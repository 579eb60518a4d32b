/** More answers to one question than any vendor gives. */
const choicesMax = 128

/**
 * Where an answer stands among several. A vendor may write any number there, and a list of a billion answers would end
 * the process: what is no small one is `otherwise`.
 */
export const choiceIndex = (index: unknown, otherwise: number): number =>
  Number.isInteger(index) && (index as number) >= 0 && (index as number) < choicesMax
    ? (index as number)
    : otherwise
