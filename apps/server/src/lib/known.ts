/**
 * Goes on with a value that is nearly always there: at once then, and without a promise, since a call asks for many
 * such things; else when it comes.
 */
export const withKnown = <T, R>(
  value: T | Promise<T>,
  next: (value: T) => Promise<R>,
): Promise<R> => (value instanceof Promise ? value.then(next) : next(value))
